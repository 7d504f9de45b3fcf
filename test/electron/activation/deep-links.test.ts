import { describe, expect, it, vi } from 'vitest';
import {
  claimLinks,
  OpenedLinks,
  launchArguments,
  type LaunchArguments,
} from '../../../src-main/electron/activation.ts';
import { app, emitted } from '../fake/electron.ts';

const NOTHING: LaunchArguments = { hidden: false, target: null, task: null, toast: false };
const DAILY = { view: 'report', kind: 'daily', label: '2026-11-20' } as const;

describe('launch arguments', () => {
  it.each<[string[], Partial<LaunchArguments>]>([
    [[], {}],
    [['.'], {}],
    [['--hidden'], { hidden: true }],
    [['broadsheet://daily/2026-11-20'], { target: DAILY }],
    [['.', '--original-process-start-time=13', 'broadsheet://daily/2026-11-20'], { target: DAILY }],
    [['BROADSHEET://daily/2026-11-20'], { target: DAILY }],
    [['--hidden', 'broadsheet://daily/2026-11-20'], { target: DAILY }],
    [['--hidden', 'broadsheet://nowhere/x'], {}],
    [['broadsheet://nowhere/x', 'broadsheet://daily/2026-11-20'], {}],
    [['broadsheet://daily/2026-11-20 --hidden'], {}],
    [['--hidden=yes'], {}],
    [['--latest-daily'], { task: 'latestDaily' }],
    [['--refresh'], { task: 'refresh' }],
    [['--refresh', 'broadsheet://story/a'], { target: { view: 'story', publicId: 'a' } }],
    [['-Embedding'], { toast: true }],
    [['--hidden', '-embedding'], { toast: true }],
    [['-Embedding', 'broadsheet://story/a'], { target: { view: 'story', publicId: 'a' } }],
    [['--embedding', 'Embedding'], {}],
    [['--inspect', '--no-sandbox', 'https://example.com/', '/etc/passwd', 'settings'], {}],
  ])('%j mean %j', (args, request) => {
    expect(launchArguments(args)).toEqual({ ...NOTHING, ...request });
  });
});

describe('links opened by macOS', () => {
  it('are buffered until there is a handler, then delivered at once', () => {
    app.removeAllListeners();
    const links = new OpenedLinks();
    const taken: string[] = [];
    expect(emitted(app, 'open-url', {}, 'broadsheet://story/a')).toBe(true);
    emitted(app, 'open-url', {}, 'broadsheet://story/b');
    links.deliverTo((link) => taken.push(link));
    expect(taken).toEqual(['broadsheet://story/a', 'broadsheet://story/b']);
    emitted(app, 'open-url', {}, 'broadsheet://story/c');
    expect(taken).toEqual(['broadsheet://story/a', 'broadsheet://story/b', 'broadsheet://story/c']);
  });
});

describe('the registration for our links', () => {
  function claimed(found: { isPackaged?: boolean; isOurs?: boolean; handler?: string; isDone?: boolean }) {
    const { isPackaged = true, isOurs = false, handler = '', isDone = true } = found;
    vi.spyOn(app, 'isPackaged', 'get').mockReturnValue(isPackaged);
    vi.spyOn(app, 'isDefaultProtocolClient').mockReturnValue(isOurs);
    vi.spyOn(app, 'getApplicationNameForProtocol').mockReturnValue(handler);
    const claim = vi.spyOn(app, 'setAsDefaultProtocolClient').mockReturnValue(isDone);
    const lines: unknown[] = [];
    claimLinks((...line) => lines.push(line));
    const { calls } = claim.mock;
    vi.restoreAllMocks();
    return { calls, lines };
  }

  it('names the installed app, once', () => {
    expect(claimed({})).toEqual({ calls: [['broadsheet']], lines: [] });
    expect(claimed({ isOurs: true, handler: 'Broadsheet' }).calls).toEqual([]);
  });

  it('is not taken from a program that the user has chosen', () => {
    expect(claimed({ handler: 'Another Reader' })).toEqual({ calls: [], lines: [] });
  });

  it('never names plain Electron during development', () => {
    expect(claimed({ isPackaged: false }).calls).toEqual([]);
  });

  it('may fail without stopping the app', () => {
    expect(claimed({ isDone: false }).lines).toHaveLength(1);
  });
});
