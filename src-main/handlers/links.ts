import { BroadsheetError } from '../contract/errors.ts';
import type { Handlers } from './handlers.ts';
import type { Session } from './session.ts';

/** The one door for links: http and https, to the reader's browser, never into the app's own window. */
export function linksHandlers(session: Session): Pick<Handlers, 'links.open'> {
  return {
    'links.open': async ({ url }) => {
      await session.ports.openExternal(allowedLink(url));
      return {};
    },
  };
}

/** The address as it may be opened. Errors: `link_refused`. */
export function allowedLink(text: string): string {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '') {
    throw new BroadsheetError('link_refused', 'Only http and https addresses are opened.');
  }
  return url.href;
}
