import { fileURLToPath } from 'node:url';

// The built host is in out/main. Tests run it from source, where some paths differ.
const built = !import.meta.url.endsWith('.ts');

function resolvePath(inBuild: string, inSource = inBuild): URL {
  return new URL(built ? inBuild : inSource, import.meta.url);
}

export const ENGINE_MODULE = resolvePath('./engine-worker.js', '../core/engine/engine-worker.ts');
export const PRELOAD_FILE = fileURLToPath(resolvePath('../preload/preload.cjs', '../preload/preload.ts'));
/** Only in the project's folder: an installed app has no command line. */
export const COMMAND_FILE = fileURLToPath(resolvePath('../../bin/broadsheet.mjs'));
export const PAGE_FOLDER = fileURLToPath(resolvePath('../renderer', '../../out/renderer'));
export const ICON_FILE = onDisk(fileURLToPath(resolvePath('../../resources/icons/512.png')));
export const TRAY_FOLDER = fileURLToPath(resolvePath('../../resources/tray'));

/** The path of an unpacked file. Only Electron can read the archive; GTK loads the icon of the About panel itself. */
export function onDisk(file: string): string {
  return file.replace(/\bapp\.asar(?=[\\/])/, 'app.asar.unpacked');
}
