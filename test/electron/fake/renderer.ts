/** The process of one page: its preload script runs without Node, in a world of its own. */
import { EventEmitter } from 'node:events';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction, createContext, type Context } from 'node:vm';
import type * as Electron from 'electron';
import { bridge } from './bridge.ts';
import { ipcMain } from './ipc.ts';
import type { WebContents } from './windows.ts';

/** The globals of a sandboxed preload script besides the language. No `process`, no `Buffer`, no `import`. */
const GLOBALS = { console, setTimeout, clearTimeout, queueMicrotask, structuredClone, URL, TextEncoder, TextDecoder };

export class IpcRenderer extends EventEmitter implements Pick<Electron.IpcRenderer, 'invoke'> {
  readonly #contents: WebContents;
  constructor(contents: WebContents) {
    super();
    this.#contents = contents;
  }
  async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
    if (this.#contents.destroyed) throw new Error(`Error invoking remote method '${channel}': reply was never sent`);
    return ipcMain.deliver(this.#contents.mainFrame, channel, args, this.#contents);
  }
}

export class ContextBridge implements Pick<Electron.ContextBridge, 'exposeInMainWorld'> {
  readonly #world: Record<string, unknown>;
  constructor(world: Record<string, unknown>) {
    this.#world = world;
  }
  exposeInMainWorld(key: string, api: unknown): void {
    if (key in this.#world) throw new Error('Cannot bind an API on top of an existing property on the window object');
    this.#world[key] = bridge(api);
  }
}

/** One loaded page. */
export class Renderer {
  /** The part of the page's `window` that the preload script sets. */
  readonly world: Record<string, unknown> = {};
  readonly ipcRenderer: IpcRenderer;
  readonly #contextBridge: ContextBridge;

  constructor(contents: WebContents) {
    this.ipcRenderer = new IpcRenderer(contents);
    this.#contextBridge = new ContextBridge(this.world);
  }

  /**
   * Runs a preload script: the built one, which is CommonJS, or its source, as the bundler would. Errors: if it requires
   * anything but Electron.
   */
  async run(file: string): Promise<void> {
    const electron = { contextBridge: this.#contextBridge, ipcRenderer: this.ipcRenderer };
    await runScript(file, createContext({ ...GLOBALS }), electron);
  }
}

const IMPORT = /^import (\{[^}]*\}) from '([^']+)';/gm;

async function runScript(file: string, context: Context, electron: object): Promise<object> {
  const text = await readFile(file, 'utf8');
  const isSource = file.endsWith('.ts');
  const code = isSource ? asCommonJs(stripTypeScriptTypes(text)) : text;
  const bundled = new Map<string, object>();
  // Only the source has other files, which the bundler puts into the script.
  for (const [, , name = ''] of isSource ? stripTypeScriptTypes(text).matchAll(IMPORT) : [])
    if (name.startsWith('.')) bundled.set(name, await runScript(join(dirname(file), name), context, electron));
  const require = (name: string): object => {
    const found = name === 'electron' ? electron : bundled.get(name);
    if (!found) throw new Error(`module not found: ${name}`);
    return found;
  };
  const exported = {};
  const run = compileFunction(code, ['require', 'exports'], { filename: file, parsingContext: context });
  (run as (require: unknown, exported: object) => void)(require, exported);
  return exported;
}

/** The few forms of import and export that the preload script uses. */
function asCommonJs(code: string): string {
  return code
    .replace(IMPORT, "const $1 = require('$2');")
    .replace(/^export const (\w+) =/gm, 'const $1 = exports.$1 =');
}
