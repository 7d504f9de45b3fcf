import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
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

type Reason = Parameters<typeof afterPageGone>[0];

describe('a page whose process has ended', () => {
  const now = 1_000_000;
  it.each<[Reason, number | null, ReturnType<typeof afterPageGone>]>([
    ['clean-exit', null, 'nothing'],
    ['clean-exit', now - 1, 'nothing'],
    ['crashed', null, 'reload'],
    ['oom', null, 'reload'],
    ['killed', null, 'reload'],
    ['abnormal-exit', null, 'reload'],
    ['launch-failed', null, 'reload'],
    ['integrity-failure', null, 'reload'],
    ['memory-eviction', null, 'reload'],
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

describe('the offer to restart', () => {
  it.each([
    [0, 1],
    [1, 0],
  ])('restarts if the user agrees (%d)', async (response, times) => {
    const shown: unknown[] = [];
    let restarts = 0;
    await offerRestart({
      dialog: {
        showMessageBox: async (...given: unknown[]) => {
          shown.push(...given);
          return { response, checkboxChecked: false };
        },
      },
      window: null,
      restart: () => (restarts += 1),
    });
    expect(shown).toMatchObject([{ message: m.dialog_crash(), buttons: [m.dialog_restart(), m.dialog_go_on()] }]);
    expect(restarts).toBe(times);
  });
});

describe('pages that crash or hang', () => {
  function guard({ presses = 0, leaving = false } = {}) {
    const app = new EventEmitter();
    const did: string[] = [];
    const reported: string[] = [];
    const questions: { message: string; buttons: string[]; signal?: AbortSignal }[] = [];
    const contents = {
      reload: () => void did.push('reload'),
      isDestroyed: () => false,
      forcefullyCrashRenderer: () => void did.push('crash'),
    };
    const window = Object.assign(new EventEmitter(), { webContents: contents, isDestroyed: () => false });
    guardPages({
      app: app as never,
      dialog: {
        showMessageBox: async (...given: unknown[]) => {
          questions.push(given.at(-1) as never);
          await nextTurn();
          return { response: presses, checkboxChecked: false };
        },
      },
      windowOf: () => window as never,
      clock: fakeClock(),
      log: () => undefined,
      report: (problem) => reported.push(problem),
      isLeaving: () => leaving,
      restart: () => did.push('restart'),
      quit: () => did.push('quit'),
    });
    app.emit('browser-window-created', {}, window);
    const die = (reason: Reason = 'crashed') => app.emit('render-process-gone', {}, contents, { reason, exitCode: 1 });
    return { did, reported, questions, window, die };
  }

  it('are reloaded once and reported', async () => {
    const { die, did, reported, questions } = guard();
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
    const { die, did, questions } = guard({ presses });
    die();
    die('oom');
    await nextTurn();
    await nextTurn();
    expect(questions).toMatchObject([
      { message: m.dialog_page_gone(), buttons: [m.dialog_restart(), m.dialog_quit()] },
    ]);
    expect(did).toEqual(['reload', what]);
  });

  it('are ignored while the app quits', () => {
    const { die, did, reported, window, questions } = guard({ leaving: true });
    die('killed');
    window.emit('unresponsive');
    expect({ did, reported, questions }).toEqual({ did: [], reported: [], questions: [] });
  });

  it.each([
    [0, []],
    [1, ['crash']],
  ])('ask the user whether to wait (%d)', async (presses, what) => {
    const { window, did, questions } = guard({ presses });
    window.emit('unresponsive');
    window.emit('unresponsive');
    await nextTurn();
    await nextTurn();
    expect(questions).toMatchObject([{ buttons: [m.dialog_wait(), m.dialog_reload()] }]);
    expect(did).toEqual(what);
  });

  it('close the question if they recover', async () => {
    const { window, did, questions } = guard({ presses: 1 });
    window.emit('unresponsive');
    window.emit('responsive');
    await nextTurn();
    await nextTurn();
    expect(questions[0]?.signal?.aborted).toBe(true);
    expect(did).toEqual([]);
  });
});
