import type { Shell } from 'electron';
import { safeLink } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';

/**
 * Opens an address in the user's browser. All links are opened here. The address is checked here too, because blocked
 * navigation does not go through a handler. Errors: `link_refused` for anything but http and https.
 */
export async function openLink(shell: Pick<Shell, 'openExternal'>, address: string): Promise<void> {
  const link = safeLink(address);
  if (link === null) throw new BroadsheetError('link_refused', 'Only http and https links can be opened.');
  await shell.openExternal(link);
}
