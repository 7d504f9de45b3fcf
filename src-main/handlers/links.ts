import { safeLink } from '../contract/addresses.ts';
import { BroadsheetError } from '../contract/errors.ts';
import type { Handlers, Session } from './types.ts';

/** The only way to open links: http and https, in the user's browser, never in the app's window. */
export function linksHandlers(session: Session) {
  return {
    'links.open': async ({ url }) => {
      const link = safeLink(url);
      if (link === null) throw new BroadsheetError('link_refused', 'Only http and https links can be opened.');
      await session.ports.openExternal(link);
      return {};
    },
  } satisfies Partial<Handlers>;
}
