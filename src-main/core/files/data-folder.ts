import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { BroadsheetError } from '../../contract/errors.ts';
import { explainWriteError, writeAtomically } from './atomic-write.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the given folder, else `BROADSHEET_DATA` (if not empty), else the folder that the user chose, else the
 * default. See {@link folderProblem} for a chosen folder that is missing.
 */
export function dataFolderOf(named: string | undefined, environment: Environment): string {
  const given = named ?? environment['BROADSHEET_DATA'];
  if (given) return resolve(given);
  const usual = defaultDataFolder(environment);
  const chosen = chosenFolder(usual);
  return resolve(chosen !== null && existsSync(chosen) ? chosen : usual);
}

/** Reports a chosen folder that is missing: a disconnected disk must not look like an empty profile. */
export function folderProblem(named: string | undefined, environment: Environment): BroadsheetError | null {
  if (named ?? environment['BROADSHEET_DATA']) return null;
  const usual = defaultDataFolder(environment);
  const chosen = chosenFolder(usual);
  if (chosen === null || existsSync(chosen)) return null;
  const words =
    chosen === ''
      ? 'does not contain a folder. Correct it, or delete it to use the default folder'
      : `names the folder ${chosen}, which does not exist. Connect its disk, or delete the file to use the default folder`;
  return new BroadsheetError('data_unreadable', `The file ${join(usual, PLACE)} ${words}.`, { retryable: true });
}

/** Applies from the next start; data is not moved. Errors: `disk_full`, `data_read_only`. */
export async function rememberFolder(folder: string, environment: Environment): Promise<void> {
  const usual = defaultDataFolder(environment);
  const file = join(usual, PLACE);
  try {
    await mkdir(usual, { recursive: true, mode: 0o700 });
    if (resolve(folder) === resolve(usual)) await rm(file, { force: true });
    else await writeAtomically(file, `${JSON.stringify({ folder: resolve(folder) })}\n`);
  } catch (cause) {
    throw explainWriteError(file, cause);
  }
}

/** Always in the default folder, wherever the data is. */
const PLACE = 'data-folder.json';

/** Null if none was chosen; empty if the file doesn't contain one. */
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

export function defaultDataFolder(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
  homeVariable: string = homedir(),
): string {
  // An empty HOME would mean the current folder.
  const home = homeVariable || userInfo().homedir;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Broadsheet');
  if (platform === 'win32') return join(environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Broadsheet');
  // XDG specification: relative paths are ignored.
  const data = environment['XDG_DATA_HOME'] ?? '';
  return join(isAbsolute(data) ? data : join(home, '.local', 'share'), 'broadsheet');
}
