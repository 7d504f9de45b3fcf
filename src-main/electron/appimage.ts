import { realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';

/**
 * Removes the variables of an AppImage that is not this program: a terminal that runs from an AppImage passes its own on
 * to every program started in it. Restart, start at login and updates would otherwise use that program.
 *
 * @param executable absolute path of the running program
 */
export function forgetForeignAppImage(environment: NodeJS.ProcessEnv, executable: string): void {
  const { APPIMAGE, APPDIR } = environment;
  if (APPIMAGE === undefined || (APPDIR && isInside(executable, APPDIR))) return;
  delete environment['APPIMAGE'];
  delete environment['APPDIR'];
  delete environment['ARGV0'];
  delete environment['OWD'];
}

function isInside(file: string, folder: string): boolean {
  const path = relative(realPathOf(folder), realPathOf(file));
  return path !== '' && !path.startsWith('..') && !isAbsolute(path);
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
