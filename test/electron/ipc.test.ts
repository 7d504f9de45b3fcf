import { beforeEach, describe, expect, it } from 'vitest';
import { EVENT_NAMES, type EventName } from '../../src-main/contract/events.ts';
import { CALL_CHANNEL, EVENT_CHANNEL, type Wire } from '../../src-main/contract/wire.ts';
import { connectWire, failingWire } from '../../src-main/electron/ipc.ts';
import { Frame, ipcMain } from './fake/electron.ts';

const PAGE = new Frame('app://broadsheet/index.html');
const calls: unknown[] = [];
const listeners = new Map<EventName, (payload: never) => void>();

const wire: Wire = {
  call: async (method, args) => {
    calls.push([method, args]);
    return { ok: true, value: { count: 3 } as never };
  },
  on(event, listener) {
    listeners.set(event, listener);
    return () => listeners.delete(event);
  },
};

const send = (frame: Frame | null, ...args: unknown[]) => ipcMain.deliver(frame, CALL_CHANNEL, args);

beforeEach(() => {
  calls.length = 0;
  listeners.clear();
  ipcMain.handlers.clear();
});

describe('the wire over IPC', () => {
  it('transmits a call of the page and its reply', async () => {
    connectWire(ipcMain, wire, () => []);
    expect(await send(PAGE, 'items.count', { query: {} })).toEqual({ ok: true, value: { count: 3 } });
    expect(calls).toEqual([['items.count', { query: {} }]]);
  });

  it('answers every call with the reason if the core cannot be opened', async () => {
    const error = { code: 'data_in_use', message: 'Another Broadsheet uses this folder.', retryable: false } as const;
    connectWire(ipcMain, failingWire(error), () => []);
    expect(await send(PAGE, 'app.capabilities', {})).toEqual({ ok: false, error });
  });

  it.each<[string, Frame | null]>([
    ['a nested frame', new Frame('app://broadsheet/index.html', PAGE)],
    ['a web page', new Frame('https://example.com/')],
    ['a page whose host only starts the same', new Frame('app://broadsheet.example/index.html')],
    ['another scheme with the same host', new Frame('https://broadsheet/index.html')],
    ['a page whose user name looks like the host', new Frame('app://broadsheet@evil/index.html')],
    ['a file', new Frame('file:///app://broadsheet/index.html')],
    ['an empty frame', new Frame('')],
    ['a frame that is gone', null],
  ])('refuses %s', async (_who, frame) => {
    connectWire(ipcMain, wire, () => []);
    expect(await send(frame, 'counts.get', {})).toMatchObject({ ok: false, error: { code: 'forbidden_sender' } });
    expect(calls).toEqual([]);
  });

  it('sends every event to every window', async () => {
    const sent: unknown[][] = [];
    const window = { send: (...message: unknown[]) => sent.push(message) };
    connectWire(ipcMain, wire, () => [window, window]);
    await Promise.resolve();
    expect([...listeners.keys()].sort()).toEqual([...EVENT_NAMES].sort());
    listeners.get('marks.changed')?.({ ids: ['a'] } as never);
    expect(sent).toEqual([
      [EVENT_CHANNEL, 'marks.changed', { ids: ['a'] }],
      [EVENT_CHANNEL, 'marks.changed', { ids: ['a'] }],
    ]);
  });
});
