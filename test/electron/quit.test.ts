import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeBeforeQuit, killOnPurpose, watchLeaving } from '../../src-main/electron/quit.ts';
import { emitted } from './fake/electron.ts';

class App extends EventEmitter {
  exits: (number | undefined)[] = [];
  exit = (code?: number): void => void this.exits.push(code);
}

let app: App;
const log = vi.fn();
const kill = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  app = new App();
  log.mockClear();
  kill.mockClear();
});
afterEach(() => vi.useRealTimers());

describe('quitting', () => {
  it('closes everything first, once, even after several events', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const close = vi.fn(() => promise);
    closeBeforeQuit(app as never, log, close, kill);
    expect(emitted(app, 'will-quit')).toBe(true);
    expect(emitted(app, 'will-quit')).toBe(true);
    expect(app.exits).toEqual([]);
    resolve(undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(close).toHaveBeenCalledOnce();
    expect(app.exits).toEqual([0]);
    expect(log).not.toHaveBeenCalled();
    expect(kill).not.toHaveBeenCalled();
  });

  it('ends the process within two seconds, without waiting for threads', async () => {
    closeBeforeQuit(app as never, log, () => new Promise(() => undefined), kill);
    emitted(app, 'will-quit');
    await vi.advanceTimersByTimeAsync(1_700);
    expect(kill).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(100);
    expect(kill).toHaveBeenCalledOnce();
    expect(log).toHaveBeenCalledWith('warn', expect.stringContaining('quit before'));
  });

  it('does not keep windows open once it has started', () => {
    const isLeaving = watchLeaving(app as never);
    expect(isLeaving()).toBe(false);
    emitted(app, 'before-quit');
    expect(isLeaving()).toBe(true);
  });

  it('logs a failure of closing', async () => {
    closeBeforeQuit(app as never, log, () => Promise.reject(new Error('no')), kill);
    emitted(app, 'will-quit');
    await vi.advanceTimersByTimeAsync(0);
    expect(app.exits).toEqual([1]);
  });

  it('leaves a mark for `npm start` before it kills the process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'broadsheet-quit-'));
    const file = join(folder, 'quit');
    const marks: boolean[] = [];
    const process = { pid: 17, kill: vi.fn((): true => Boolean(marks.push(existsSync(file))) as true) };
    killOnPurpose({ BROADSHEET_QUIT_FILE: file }, process);
    killOnPurpose({ BROADSHEET_QUIT_FILE: join(folder, 'missing', 'quit') }, process);
    killOnPurpose({}, process);
    expect(marks).toEqual([true, true, true]);
    expect(process.kill.mock.calls).toEqual(Array(3).fill([17, 'SIGKILL']));
    await rm(folder, { recursive: true });
  });
});
