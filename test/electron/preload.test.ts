import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { compileFunction, createContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { type Wire, CALL_CHANNEL, EVENT_CHANNEL, PAGE_WIRE } from '../../src-main/contract/wire.ts';

const file = new URL('../../out/preload/preload.cjs', import.meta.url);

/** Runs the built script as in the sandbox, where it has no Node, and Electron is all it can require. */
function run(answer: (...args: unknown[]) => unknown = () => 'a reply') {
  const ipcRenderer = Object.assign(new EventEmitter(), { invoke: async (...args: unknown[]) => answer(...args) });
  const exposed = new Map<string, unknown>();
  const contextBridge = { exposeInMainWorld: (key: string, api: unknown) => exposed.set(key, api) };
  const require = (name: string): object => {
    if (name === 'electron') return { contextBridge, ipcRenderer };
    throw new Error(`module not found: ${name}`);
  };
  const code = compileFunction(readFileSync(file, 'utf8'), ['require', 'exports'], { parsingContext: createContext() });
  (code as (require: unknown, exports: object) => void)(require, {});
  return { exposed, ipcRenderer, wire: exposed.get(PAGE_WIRE) as Wire };
}

describe.skipIf(!existsSync(file))('the preload script (skipped before "npm run build")', () => {
  it('exposes two functions, and nothing of Electron', () => {
    const { exposed, wire } = run();
    expect([...exposed.keys()]).toEqual([PAGE_WIRE]);
    expect(Object.entries(wire).map(([name, member]) => [name, typeof member])).toEqual([
      ['call', 'function'],
      ['on', 'function'],
    ]);
  });

  it('sends calls on one channel, with the method as a text', async () => {
    const sent: unknown[] = [];
    const { wire } = run((...args) => sent.push(args));
    await wire.call('counts.get', {});
    await wire.call(7 as never, { toString: 1 } as never);
    expect(sent).toEqual([
      [CALL_CHANNEL, 'counts.get', {}],
      [CALL_CHANNEL, '7', { toString: 1 }],
    ]);
  });

  it('answers also if a value cannot be cloned, or the host has gone', async () => {
    const { wire } = run(() => Promise.reject(new Error('An object could not be cloned.')));
    const closed = { ok: false, error: { code: 'closed' } };
    expect(await wire.call('counts.get', { surprise: () => 1 } as never)).toMatchObject(closed);
    expect(await wire.call({ toString: 'no' } as never, {} as never)).toMatchObject(closed);
  });

  it('delivers events without the event object, which has the sender, until a listener is removed', () => {
    const { wire, ipcRenderer } = run();
    const heard: unknown[][] = [];
    const stop = wire.on('marks.changed', (...received) => heard.push(received));
    ipcRenderer.emit(EVENT_CHANNEL, { sender: ipcRenderer }, 'marks.changed', { ids: null });
    ipcRenderer.emit(EVENT_CHANNEL, {}, 'counts.changed', {});
    stop();
    ipcRenderer.emit(EVENT_CHANNEL, {}, 'marks.changed', { ids: null });
    expect(heard).toEqual([[{ ids: null }]]);
  });
});
