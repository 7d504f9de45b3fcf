import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoredFile } from '../../../src-main/core/files/json-file.ts';
import {
  ArticleWindows,
  keepWindowsOnScreen,
  MainWindow,
  sendCommand,
} from '../../../src-main/electron/windows/windows.ts';
import { becomeReady, BrowserWindow, screen, WebContents } from '../fake/electron.ts';
import { record } from '../fake/records.ts';
import { machine } from '../fake/system.ts';

const STORY = { view: 'story', publicId: 'a' } as const;
const OTHER_STORY = { view: 'story', publicId: 'b' } as const;
const DAILY = { view: 'report', kind: 'daily', label: '2026-11-20' } as const;

/** The bounds file, in memory. */
function boundsFile(content: Record<string, unknown> = {}): StoredFile & { content: Record<string, unknown> } {
  const file = {
    content,
    exists: true,
    read: () => file.content,
    write: (members: object) => void (file.content = { ...file.content, ...members }),
  };
  return file;
}

const windows = () => BrowserWindow.getAllWindows();
const latest = () => record.windows.at(-1)!;

beforeAll(becomeReady);
beforeEach(async () => {
  await closeAll();
  record.windows.length = 0;
  machine.screens = [[0, 0, 1920, 1040]];
});

/** Closing takes until the next turn of the event loop. */
async function closeAll(): Promise<void> {
  for (const window of windows()) window.close();
  await nextTurn();
}

describe('a separate window', () => {
  it('exists once per target, and comes to the front the second time', async () => {
    const readers = new ArticleWindows(boundsFile());
    await readers.open(STORY);
    await readers.open(DAILY);
    latest().did.length = 0;
    record.windows[0]!.minimized = true;
    await readers.open({ ...STORY });
    expect(record.windows).toHaveLength(2);
    expect(record.windows[0]!.did.slice(-3)).toEqual(['restore', 'show', 'focus']);
    windows()[0]!.close();
    await nextTurn();
    await readers.open(STORY);
    expect(record.windows).toHaveLength(3);
  });

  it('opens with an offset from the latest one of its kind, or where the last one was closed', async () => {
    const bounds = boundsFile();
    const readers = new ArticleWindows(bounds);
    await readers.open(STORY);
    windows()[0]!.setBounds({ x: 200, y: 100, width: 700, height: 500 });
    await readers.open(OTHER_STORY);
    expect(latest().options).toMatchObject({ x: 228, y: 128, width: 700, height: 500 });
    await readers.open(DAILY);
    expect(latest().options.x).toBeUndefined();
    await closeAll();
    await new ArticleWindows(bounds).open(STORY);
    expect(latest().options).toMatchObject({ x: 228, y: 128, width: 700, height: 500 });
    expect(bounds.content).not.toHaveProperty('x');
  });

  it('is refused for an invalid id', async () => {
    const readers = new ArticleWindows(boundsFile());
    await expect(readers.open({ view: 'story', publicId: '\ud800' })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    expect(record.windows).toHaveLength(0);
  });
});

describe('the main window', () => {
  const open = (bounds = boundsFile()) => new MainWindow(bounds, () => false);

  it('saves its position when it closes, and opens there again', async () => {
    const bounds = boundsFile();
    open(bounds).show();
    windows()[0]!.setBounds({ x: 10, y: 20, width: 900, height: 700 });
    windows()[0]!.maximize();
    windows()[0]!.close();
    expect(bounds.content).toEqual({ x: 10, y: 20, width: 900, height: 700, maximized: true });
    await nextTurn();
    open(bounds).show();
    expect(latest().options).toMatchObject({ x: 10, y: 20, width: 900, height: 700 });
  });

  it('zooms by the wheel, within limits, and opens with no level of its own, which would reset all windows', async () => {
    const setZoomLevel = vi.spyOn(WebContents.prototype, 'setZoomLevel');
    open().show();
    await new ArticleWindows(boundsFile({ zoomLevel: 0 })).open(STORY);
    await vi.waitUntil(() => windows().every((window) => !window.webContents.isLoadingMainFrame()));
    expect(setZoomLevel).not.toHaveBeenCalled();
    const { webContents } = windows()[0]!;
    for (let step = 0; step < 3; step += 1) webContents.emit('zoom-changed', {}, 'in');
    expect(webContents.getZoomLevel()).toBe(1.5);
    for (let step = 0; step < 30; step += 1) webContents.emit('zoom-changed', {}, 'out');
    expect(webContents.getZoomLevel()).toBe(-3);
  });

  it('gets menu commands once its page has loaded, and is opened for them', async () => {
    const main = open();
    main.sendCommand('search');
    expect(latest().events).toEqual([]);
    await vi.waitUntil(() => latest().events.length > 0);
    sendCommand(windows()[0]! as never, 'archive');
    expect(latest().events).toEqual(['app.command', 'app.command']);
  });
});

describe('changed screens', () => {
  it('leave no window out of reach', async () => {
    keepWindowsOnScreen();
    machine.screens = [
      [0, 0, 1920, 1040],
      [1920, 0, 1280, 800],
    ];
    const readers = new ArticleWindows(boundsFile({ story: { x: 2000, y: 50, width: 600, height: 500 } }));
    await readers.open(STORY);
    await readers.open(DAILY);
    expect(windows()[0]!.getNormalBounds()).toMatchObject({ x: 2000 });
    machine.screens = [[0, 0, 1920, 1040]];
    screen.emit('display-removed', {}, {});
    expect(windows()[0]!.getNormalBounds()).toEqual({ x: 660, y: 270, width: 600, height: 500 });
    expect(record.windows[1]!.did).not.toContain('setBounds');
  });
});
