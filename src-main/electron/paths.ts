import { fileURLToPath } from 'node:url';

// The built host lies in out/main; run from its sources, as tests do, it finds the same things elsewhere.
const built = !import.meta.url.endsWith('.ts');

function place(inBuild: string, inSource: string): URL {
  return new URL(built ? inBuild : inSource, import.meta.url);
}

export const ENGINE_MODULE = place('./engine-worker.js', '../core/engine/engine-worker.ts');
export const PRELOAD_FILE = fileURLToPath(place('../preload/preload.cjs', '../preload/preload.ts'));
export const PAGE_FOLDER = fileURLToPath(place('../renderer', '../../out/renderer'));
export const ICON_FILE = fileURLToPath(place('../../resources/icons/512.png', '../../resources/icons/512.png'));
export const TRAY_FOLDER = fileURLToPath(place('../../resources/tray', '../../resources/tray'));
