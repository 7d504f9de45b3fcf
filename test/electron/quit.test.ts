import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeBeforeQuit } from '../../src-main/electron/quit.ts';
import { emitted } from './standin/electron.ts';

class App extends EventEmitter {
  exits: (number | undefined)[] = [];
  exit = (code?: number): void => void this.exits.push(code);
}

let app: App;

beforeEach(() => {
  vi.useFakeTimers();
  app = new App();
});
afterEach(() => vi.useRealTimers());

describe('quitting', () => {
  it('closes what is open first, once, however often it is asked', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const close = vi.fn(() => promise);
    closeBeforeQuit(app as never, close);
    expect(emitted(app, 'will-quit')).toBe(true);
    expect(emitted(app, 'will-quit')).toBe(true);
    expect(app.exits).toEqual([]);
    resolve(undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(close).toHaveBeenCalledOnce();
    expect(app.exits).toEqual([0]);
  });

  it('waits no longer than a second', async () => {
    closeBeforeQuit(app as never, () => new Promise(() => undefined));
    emitted(app, 'will-quit');
    await vi.advanceTimersByTimeAsync(999);
    expect(app.exits).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(app.exits).toEqual([0]);
  });

  it('says so when closing went wrong', async () => {
    closeBeforeQuit(app as never, () => Promise.reject(new Error('no')));
    emitted(app, 'will-quit');
    await vi.advanceTimersByTimeAsync(0);
    expect(app.exits).toEqual([1]);
  });
});
