import type { BaseWindow, Dialog, OpenDialogOptions, Shell } from 'electron';
import { m } from '../common/i18n/messages.ts';
import { BroadsheetError } from '../contract/errors.ts';
import type { Desktop } from '../contract/ports.ts';
import { rememberFolder } from '../core/files/data-folder.ts';
import { checkNewFolder } from '../core/files/new-folder.ts';

interface FolderPorts {
  dialog: Pick<Dialog, 'showOpenDialog'>;
  shell: Pick<Shell, 'openPath'>;
  /** The window of the calling page; null if it has been closed. */
  window(): BaseWindow | null;
  /** The current data folder. */
  dataFolder: string;
  environment: NodeJS.ProcessEnv;
}

/** Shows the data folder, and lets the user choose another one, and the folder of marks. */
export function folderChooser(
  ports: FolderPorts,
): Required<Pick<Desktop, 'showFolder' | 'chooseFolder' | 'chooseSyncedFolder'>> {
  return {
    showFolder: (folder) => showFolder(ports.shell, folder),
    chooseFolder: () => chooseFolder(ports),
    chooseSyncedFolder: () => askForFolder(ports, m.dialog_choose_synced_folder()),
  };
}

/** `openPath` returns an error message, or an empty string. */
async function showFolder(shell: FolderPorts['shell'], folder: string): Promise<void> {
  const failure = await shell.openPath(folder);
  if (failure !== '')
    throw new BroadsheetError('data_unreadable', `Cannot show the folder ${folder}: ${failure}. Check that it exists.`);
}

/**
 * Returns the data folder for the next start, or null if the user cancels. Errors: `not_supported` if the environment sets
 * the folder, and those of {@link checkNewFolder} and {@link rememberFolder}.
 */
async function chooseFolder(ports: FolderPorts): Promise<string | null> {
  const { environment, dataFolder } = ports;
  if (environment['BROADSHEET_DATA']) {
    const message = 'BROADSHEET_DATA sets the data folder. Change the variable, or start Broadsheet without it.';
    throw new BroadsheetError('not_supported', message);
  }
  const folder = await askForFolder(ports, m.dialog_choose_data_folder(), dataFolder);
  if (folder === null) return null;
  checkNewFolder(folder, dataFolder);
  await rememberFolder(folder, environment);
  return folder;
}

/** Asks for a folder, at first showing `defaultPath` if it is given. Null if the user cancels. */
async function askForFolder(ports: FolderPorts, title: string, defaultPath?: string): Promise<string | null> {
  const { dialog } = ports;
  const window = ports.window();
  const options: OpenDialogOptions = {
    title,
    // macOS shows no title.
    message: title,
    buttonLabel: m.dialog_choose_data_folder_button(),
    ...(defaultPath !== undefined && { defaultPath }),
    properties: ['openDirectory', 'createDirectory', 'dontAddToRecent'],
  };
  const { canceled, filePaths } = await (window
    ? dialog.showOpenDialog(window, options)
    : dialog.showOpenDialog(options));
  const [folder] = filePaths;
  return canceled || folder === undefined ? null : folder;
}
