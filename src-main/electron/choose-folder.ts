import type { BaseWindow, Dialog, OpenDialogOptions, Shell } from 'electron';
import { m } from '../common/i18n/messages.ts';
import { BroadsheetError } from '../contract/errors.ts';
import type { Desktop } from '../contract/ports.ts';
import { rememberFolder } from '../core/files/data-folder.ts';
import { checkNewFolder } from '../core/files/new-folder.ts';

interface FolderPorts {
  dialog: Pick<Dialog, 'showOpenDialog'>;
  shell: Pick<Shell, 'openPath'>;
  /** The window whose page asks; null where it is gone. */
  window(): BaseWindow | null;
  /** The data folder of this run. */
  dataFolder: string;
  environment: NodeJS.ProcessEnv;
}

/** What the desktop does with the data folder: shows it, and asks for another one. */
export function folderChooser(ports: FolderPorts): Required<Pick<Desktop, 'showFolder' | 'chooseFolder'>> {
  return { showFolder: (folder) => showFolder(ports.shell, folder), chooseFolder: () => chooseFolder(ports) };
}

/** Electron tells of a failure by a text that is not empty. */
async function showFolder(shell: FolderPorts['shell'], folder: string): Promise<void> {
  const failure = await shell.openPath(folder);
  if (failure !== '')
    throw new BroadsheetError('data_unreadable', `The folder ${folder} could not be shown: ${failure}`);
}

/**
 * The folder for the data from the next start on; null where the reader wants none after all. Errors: `not_supported` where the
 * environment names the folder and would go on doing so, and those of {@link checkNewFolder} and {@link rememberFolder}.
 */
async function chooseFolder(ports: FolderPorts): Promise<string | null> {
  const { dialog, environment, dataFolder } = ports;
  if (environment['BROADSHEET_DATA']) {
    const words = 'BROADSHEET_DATA names the data folder. Change it there, or start Broadsheet without it.';
    throw new BroadsheetError('not_supported', words);
  }
  const window = ports.window();
  const options = question(ports);
  const { canceled, filePaths } = await (window
    ? dialog.showOpenDialog(window, options)
    : dialog.showOpenDialog(options));
  const [folder] = filePaths;
  if (canceled || folder === undefined) return null;
  checkNewFolder(folder, dataFolder);
  await rememberFolder(folder, environment);
  return folder;
}

function question({ dataFolder }: FolderPorts): OpenDialogOptions {
  return {
    title: m.dialog_choose_data_folder(),
    // macOS shows no title.
    message: m.dialog_choose_data_folder(),
    buttonLabel: m.dialog_choose_data_folder_button(),
    defaultPath: dataFolder,
    properties: ['openDirectory', 'createDirectory', 'dontAddToRecent'],
  };
}
