import type { Shell } from 'electron';
import { BroadsheetError } from '../contract/errors.ts';

/**
 * The one door through which an address leaves the app: the user's own browser opens it.
 * Errors: `link_refused` for anything but http and https, since the system starts whatever program claims a scheme.
 */
export async function openLink(shell: Pick<Shell, 'openExternal'>, address: string): Promise<void> {
  await shell.openExternal(checkLink(address));
}

/** The address as the parser understood it, so that what was checked is what is opened. Errors: `link_refused`. */
function checkLink(address: string): string {
  const url = URL.parse(address);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new BroadsheetError('link_refused', 'Only http and https links can be opened.');
  }
  return url.href;
}
