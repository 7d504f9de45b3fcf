import { BroadsheetError } from '../contract/errors.ts';
import type { Handlers, Session } from './types.ts';

/** What a host can do with the page that it shows, and a browser's page cannot ask of its host. */
export function pageHandlers({ ports }: Session) {
  return {
    'page.savePdf': ({ name }) => {
      if (ports.savePdf) return ports.savePdf(name);
      throw new BroadsheetError(
        'not_supported',
        'This host makes no PDF files. Print the page in your browser instead.',
      );
    },
  } satisfies Partial<Handlers>;
}
