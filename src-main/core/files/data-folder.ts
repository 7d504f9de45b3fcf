import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { BroadsheetError } from '../../contract/errors.ts';
import { explainWriteError, writeAtomically } from './atomic-write.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The data folder of this run, the same for every host: what was named, else `BROADSHEET_DATA` (an empty one counts as not
 * set), else the one that the reader chose ({@link rememberFolder}), else the usual place of this platform. Whether a chosen
 * one can be used, {@link folderProblem} tells.
 */
export function dataFolderOf(named: string | undefined, environment: Environment): string {
  const given = named ?? environment['BROADSHEET_DATA'];
  if (given) return resolve(given);
  const usual = defaultDataFolder(environment);
  const chosen = chosenFolder(usual);
  return resolve(chosen !== null && existsSync(chosen) ? chosen : usual);
}

/**
 * What keeps the chosen folder from being used, null where nothing does: a disk that is not connected must not look like an
 * empty profile. `named` as above.
 */
export function folderProblem(named: string | undefined, environment: Environment): BroadsheetError | null {
  if (named ?? environment['BROADSHEET_DATA']) return null;
  const usual = defaultDataFolder(environment);
  const chosen = chosenFolder(usual);
  if (chosen === null || existsSync(chosen)) return null;
  const words =
    chosen === ''
      ? 'tells of no folder. Mend it, or remove it to use the usual folder'
      : `names the folder ${chosen}, which is not there. Connect its disk, or remove the file to use the usual folder`;
  return new BroadsheetError('data_unreadable', `The file ${join(usual, PLACE)} ${words}.`, { retryable: true });
}

/** From the next start on the data is looked for in `folder`; it is not moved. Errors: `disk_full`, `data_read_only`. */
export async function rememberFolder(folder: string, environment: Environment): Promise<void> {
  const usual = defaultDataFolder(environment);
  const file = join(usual, PLACE);
  try {
    await mkdir(usual, { recursive: true });
    if (resolve(folder) === resolve(usual)) await rm(file, { force: true });
    else await writeAtomically(file, `${JSON.stringify({ folder: resolve(folder) })}\n`);
  } catch (cause) {
    throw explainWriteError(file, cause);
  }
}

/** In the usual folder, wherever the data is. */
const PLACE = 'data-folder.json';

/** Null where none was chosen; empty where the file does not say which. */
function chosenFolder(usual: string): string | null {
  let text: string;
  try {
    text = readFileSync(join(usual, PLACE), 'utf8');
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') ? null : '';
  }
  try {
    const { folder } = JSON.parse(text) as { folder?: unknown };
    return typeof folder === 'string' && isAbsolute(folder) ? folder : '';
  } catch {
    return '';
  }
}

/** Where an app keeps its data on this platform. */
export function defaultDataFolder(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
  homeVariable: string = homedir(),
): string {
  // An empty HOME would make the current folder the place.
  const home = homeVariable || userInfo().homedir;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Broadsheet');
  if (platform === 'win32') return join(environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Broadsheet');
  // The XDG rules: a relative path there counts as not set.
  const data = environment['XDG_DATA_HOME'] ?? '';
  return join(isAbsolute(data) ? data : join(home, '.local', 'share'), 'broadsheet');
}
