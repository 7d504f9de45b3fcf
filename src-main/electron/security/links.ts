import type { Shell } from 'electron';
import { safeLink } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';

/**
 * The one door through which an address leaves the app: the user's own browser opens it. It looks for itself, for pages
 * that try to navigate come here without passing a handler. Errors: `link_refused` for anything but http and https.
 */
export async function openLink(shell: Pick<Shell, 'openExternal'>, address: string): Promise<void> {
  const link = safeLink(address);
  if (link === null) throw new BroadsheetError('link_refused', 'Only http and https addresses are opened.');
  await shell.openExternal(link);
}
