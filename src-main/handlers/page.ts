import { BroadsheetError } from '../contract/errors.ts';
import type { Handlers, Session } from './types.ts';

/** Page features that depend on the host. */
export function pageHandlers({ ports }: Session) {
  return {
    'page.savePdf': ({ name }) => {
      if (ports.savePdf) return ports.savePdf(name);
      throw new BroadsheetError(
        'not_supported',
        'PDF export is only available in the desktop app. Print the page in your browser instead.',
      );
    },
  } satisfies Partial<Handlers>;
}
