import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeBeforeQuit, killOnPurpose, watchLeaving } from '../../src-main/electron/quit.ts';
import { temporaryFolder } from '../support/folders.ts';
import { app, emitted } from './fake/electron.ts';

const log = vi.fn();
const kill = vi.fn();
const exit = vi.spyOn(app, 'exit');

beforeEach(() => {
  vi.useFakeTimers();
  app.removeAllListeners();
  vi.clearAllMocks();
  exit.mockImplementation(() => undefined);
});
afterEach(() => vi.useRealTimers());
afterAll(() => {
  exit.mockRestore();
});

describe('quitting', () => {
  it('closes everything first, once, even after several events', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const close = vi.fn(() => promise);
    closeBeforeQuit(log, close, kill);
    expect(emitted(app, 'will-quit')).toBe(true);
    expect(emitted(app, 'will-quit')).toBe(true);
    expect(exit).not.toHaveBeenCalled();
    resolve(undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(close).toHaveBeenCalledOnce();
    expect(exit.mock.calls).toEqual([[0]]);
    expect(log).not.toHaveBeenCalled();
    expect(kill).not.toHaveBeenCalled();
  });

  it('ends the process within two seconds, without waiting for threads', async () => {
    closeBeforeQuit(log, () => new Promise(() => undefined), kill);
    emitted(app, 'will-quit');
    await vi.advanceTimersByTimeAsync(1_700);
    expect(kill).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(100);
    expect(kill).toHaveBeenCalledOnce();
    expect(log).toHaveBeenCalledWith('warn', expect.stringContaining('quit before'));
  });

  it('does not keep windows open once it has started', () => {
    const isLeaving = watchLeaving();
    expect(isLeaving()).toBe(false);
    emitted(app, 'before-quit');
    expect(isLeaving()).toBe(true);
  });

  it('logs a failure of closing', async () => {
    closeBeforeQuit(log, () => Promise.reject(new Error('no')), kill);
    emitted(app, 'will-quit');
    await vi.advanceTimersByTimeAsync(0);
    expect(exit.mock.calls).toEqual([[1]]);
  });

  it('leaves a mark for `npm start` before it kills the process', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'quit');
    const marks: boolean[] = [];
    const process = { pid: 17, kill: vi.fn((): true => Boolean(marks.push(existsSync(file))) as true) };
    killOnPurpose({ BROADSHEET_QUIT_FILE: file }, process);
    killOnPurpose({ BROADSHEET_QUIT_FILE: join(folder, 'missing', 'quit') }, process);
    killOnPurpose({}, process);
    expect(marks).toEqual([true, true, true]);
    expect(process.kill.mock.calls).toEqual(Array(3).fill([17, 'SIGKILL']));
  });
});
