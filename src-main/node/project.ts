import { readFileSync } from 'node:fs';
import path from 'node:path';

// The bundle is in out/node (scripts/setup/build.mjs). Tests also run the sources, from where paths differ.
const isBundled = !import.meta.url.endsWith('.ts');
const PROJECT = path.resolve(import.meta.dirname, '..', '..');

/** The built one in tests, too (test/support/built-node.ts). */
export const ENGINE_MODULE = new URL(
  isBundled ? './engine-worker.js' : '../../out/node/engine-worker.js',
  import.meta.url,
);
/** Flags of Node for a service, as for every command (scripts/setup/project-node.mjs). */
export const NODE_FLAGS = ['--max-semi-space-size=4'];
export const CLI_MODULE = path.join(import.meta.dirname, isBundled ? 'cli.js' : 'cli.ts');
/** Starts the command line: installs and builds what is missing, then runs it. */
export const COMMAND_FILE = path.join(PROJECT, 'bin', 'broadsheet.mjs');
/** For feeds. */
export const ICON_FILE = path.join(PROJECT, 'resources', 'icons', '256.png');
export const PAGE_FOLDER = path.join(PROJECT, 'out', 'renderer');

export function appVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8'));
  return (manifest as { version: string }).version;
}
