import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { m } from '../../src-main/common/i18n/messages.ts';
import {
  catchDefects,
  Defects,
  guardPages,
  ignoreBrokenStreams,
  offerRestart,
  afterPageGone,
  relaunchOptions,
} from '../../src-main/electron/crash.ts';
import { fakeClock } from '../support/clock.ts';
import { app, becomeReady, BrowserWindow, dialog, user } from './fake/electron.ts';
import { record } from './fake/records.ts';

type Reason = Parameters<typeof afterPageGone>[0];

describe('a page whose process has ended', () => {
  const now = 1_000_000;
  it.each<[Reason, number | null, ReturnType<typeof afterPageGone>]>([
    ['clean-exit', null, 'nothing'],
    ['clean-exit', now - 1, 'nothing'],
    ['killed', null, 'reload'],
    ['crashed', now, 'ask'],
    ['crashed', now - 59_999, 'ask'],
    ['crashed', now - 60_000, 'reload'],
    ['crashed', now + 5, 'reload'],
  ])('%s, loaded again at %s: %s', (reason, reloadedAt, next) => {
    expect(afterPageGone(reason, reloadedAt, now)).toBe(next);
  });
});

describe('a restart', () => {
  it.each([
    [{}, ['/opt/broadsheet'], { args: [] }],
    [{}, ['/opt/electron', '/src', '--hidden', 'broadsheet://story/a'], { args: ['/src'] }],
    [{}, ['/opt/broadsheet', '--disable-gpu', '--latest-daily', '-Embedding'], { args: ['--disable-gpu'] }],
    [{}, ['/opt/electron', '--ozone-platform=x11', '/src'], { args: ['--ozone-platform=x11', '/src'] }],
    [{}, ['C:\\electron.exe', 'C:\\src\\app', 'broadsheet://story/a'], { args: ['C:\\src\\app'] }],
    [{}, ['C:\\electron.exe', 'd:/src/app', 'Broadsheet:story/a', 'web+a://b'], { args: ['d:/src/app'] }],
    [{ APPIMAGE: '/home/a/B.AppImage' }, ['/tmp/.mount/b', '--refresh'], { execPath: '/home/a/B.AppImage', args: [] }],
  ])('%j %j', (environment, argv, options) => {
    expect(relaunchOptions(environment, argv)).toEqual(options);
  });
});

describe('uncaught errors', () => {
  it('are logged before the core is open, and then reported to it', () => {
    const process = new EventEmitter();
    const lines: unknown[][] = [];
    const reported: unknown[] = [];
    const defects = new Defects((...line) => lines.push(line));
    catchDefects(process as never, defects.report);
    const early = new Error('early');
    process.emit('uncaughtException', early);
    process.emit('unhandledRejection', 'a text');
    expect(lines).toMatchObject([
      ['error', 'Unexpected error', { trace: expect.stringContaining('early') as string }],
      ['error', 'Unexpected error', { trace: 'a text' }],
    ]);
    defects.forwardTo((error) => reported.push(error));
    expect(reported).toEqual([early, 'a text']);
    process.emit('unhandledRejection', 'later');
    expect(reported).toEqual([early, 'a text', 'later']);
    expect(lines).toHaveLength(2);
  });
});

describe('a standard stream that breaks', () => {
  it('is ignored', () => {
    const streams = [new PassThrough(), new PassThrough()];
    ignoreBrokenStreams(...streams);
    for (const stream of streams)
      for (const code of ['EPIPE', 'EIO']) stream.emit('error', Object.assign(new Error(), { code }));
    expect(streams.map((stream) => stream.listenerCount('error'))).toEqual([1, 1]);
  });
});

const { questions } = record;
beforeAll(becomeReady);
beforeEach(() => void (questions.length = 0));

describe('the offer to restart', () => {
  it.each([
    [0, 1],
    [1, 0],
  ])('restarts if the user agrees (%d)', async (presses, times) => {
    const restart = vi.fn();
    user.presses = presses;
    await offerRestart(null, restart);
    expect(questions).toMatchObject([{ message: m.dialog_crash(), buttons: [m.dialog_restart(), m.dialog_go_on()] }]);
    expect(restart).toHaveBeenCalledTimes(times);
  });
});

describe('pages that crash or hang', () => {
  function guard({ presses = 0, leaving = false } = {}) {
    app.removeAllListeners();
    user.presses = presses;
    const reported: string[] = [];
    guardPages({
      clock: fakeClock(),
      log: () => undefined,
      report: (problem) => reported.push(problem),
      isLeaving: () => leaving,
      restart: () => did.push('restart'),
      quit: () => did.push('quit'),
    });
    const window = new BrowserWindow();
    const { did } = window.record;
    const die = (reason: Reason = 'crashed') =>
      app.emit('render-process-gone', {}, window.webContents, { reason, exitCode: 1 });
    return { did, reported, window, die };
  }

  it('are reloaded once and reported', async () => {
    const { die, did, reported } = guard();
    die();
    await nextTurn();
    expect({ did, reported, questions }).toEqual({
      did: ['reload'],
      reported: ['A page process has ended: crashed, exit code 1'],
      questions: [],
    });
  });

  it.each([
    [0, 'restart'],
    [1, 'quit'],
  ])('ask the user if they crash again within a minute (%d: %s)', async (presses, what) => {
    const { die, did } = guard({ presses });
    die();
    die('oom');
    await nextTurn();
    expect(questions).toMatchObject([
      { message: m.dialog_page_gone(), buttons: [m.dialog_restart(), m.dialog_quit()] },
    ]);
    expect(did).toEqual(['reload', what]);
  });

  it('are ignored while the app quits', () => {
    const { die, did, reported, window } = guard({ leaving: true });
    die('killed');
    window.emit('unresponsive');
    expect({ did, reported, questions }).toEqual({ did: [], reported: [], questions: [] });
  });

  it.each([
    [0, []],
    [1, ['crash', 'reload']],
  ])('ask the user whether to wait (%d)', async (presses, what) => {
    const { window, did } = guard({ presses });
    window.emit('unresponsive');
    window.emit('unresponsive');
    await nextTurn();
    expect(questions).toMatchObject([{ buttons: [m.dialog_wait(), m.dialog_reload()] }]);
    expect(did).toEqual(what);
  });

  it('close the question if they recover', async () => {
    const { window, did } = guard({ presses: 1 });
    const asking = vi.spyOn(dialog, 'showMessageBox');
    window.emit('unresponsive');
    window.emit('responsive');
    await nextTurn();
    expect(asking.mock.lastCall).toMatchObject([window, { signal: { aborted: true } }]);
    expect(did).toEqual([]);
  });
});
