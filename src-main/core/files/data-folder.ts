import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { BroadsheetError } from '../../contract/errors.ts';
import { checkFolder } from '../../store/index.ts';
import { explainWriteError, isLeftover, writeAtomically } from './atomic-write.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** See {@link folderProblem} for a chosen folder that is missing. */
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

/** Empty if the file doesn't contain one. */
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

/** Written by the library for settings and window states. */
const OF_CONF = /^[a-z-]+\.json\.tmp-\d{10}[0-9a-f]{6}$/;
/** No small file takes this long to write. */
const ABANDONED_AFTER_MS = 60_000;

export function removeLeftovers(folder: string, now: number): void {
  try {
    const names = readdirSync(folder).filter((name) => isLeftover(name) || OF_CONF.test(name));
    for (const name of names) {
      const file = join(folder, name);
      const found = lstatSync(file);
      const isOld = isLeftover(name) || now - found.mtimeMs > ABANDONED_AFTER_MS;
      if (found.isFile() && isOld) rmSync(file, { force: true });
    }
  } catch {
    // Failures don't matter.
  }
}

const OURS = ['user.db', 'lock.db', 'settings.json', 'data-folder.json'];
const NOBODYS = new Set(['.DS_Store', '.localized', 'desktop.ini', 'Thumbs.db', 'lost+found']);

/** Accepts empty folders, and Broadsheet's if they are not in use. */
export function checkNewFolder(folder: string, present: string): void {
  if (resolve(folder) === resolve(present)) return;
  const names = namesIn(folder).filter((name) => !NOBODYS.has(name));
  if (names.length > 0 && !OURS.some((name) => names.includes(name))) {
    const words = 'This folder holds other files. Choose an empty one, or one that Broadsheet has used before.';
    throw new BroadsheetError('invalid_argument', words);
  }
  checkFolder(folder);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    const words = 'This folder cannot be read. Check its permissions, or choose another one.';
    throw new BroadsheetError('data_read_only', words, { cause });
  }
}
