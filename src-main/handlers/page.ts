import { BroadsheetError } from '../contract/errors.ts';
import type { Handlers, Session } from './types.ts';

/** What the page needs for itself. */
export function pageHandlers({ ports, lastPlace }: Session) {
  return {
    'app.lastPlace': async () => ({ place: await lastPlace.get() }),
    'app.savePlace': async ({ place }) => {
      await lastPlace.save(place);
      return {};
    },
    'page.savePdf': ({ name }) => {
      if (ports.savePdf) return ports.savePdf(name);
      throw new BroadsheetError(
        'not_supported',
        'PDF export is only available in the desktop app. Print the page in your browser instead.',
      );
    },
  } satisfies Partial<Handlers>;
}
