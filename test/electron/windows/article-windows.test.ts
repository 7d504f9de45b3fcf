import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoredFile } from '../../../src-main/core/files/json-file.ts';

vi.mock('electron', () => import('../fake/electron.ts'));
// Prevents modules, with their mocks, from being shared with other files of this process.
vi.resetModules();
afterAll(() => {
  vi.resetModules();
});
const { becomeReady, BrowserWindow, pages, screen } = await import('../fake/electron.ts');
becomeReady();
const { machine } = await import('../fake/system.ts');
const { keepWindowsOnScreen, sendCommand, showFirst } = await import('../../../src-main/electron/windows/windows.ts');
const { ArticleWindows } = await import('../../../src-main/electron/windows/windows.ts');
const { MainWindow } = await import('../../../src-main/electron/windows/windows.ts');
const { record } = await import('../fake/records.ts');

// No page runs here.
vi.mock('../../../src-main/electron/paths.ts', () => ({ PRELOAD_FILE: '', ICON_FILE: '/icon.png' }));

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

  it.each([[{ story: 'wide' }], [{ story: { x: 1, y: 'NaN' } }], [{ story: [] }]])(
    'ignores invalid bounds: %j',
    async (content) => {
      await new ArticleWindows(boundsFile(content)).open(STORY);
      expect(latest().options).toMatchObject({ width: 860, height: 900 });
    },
  );
});

describe('the main window', () => {
  const open = (bounds = boundsFile(), hides = false) => new MainWindow({ bounds, hidesOnClose: () => hides });

  /** Opens the window, and shows it as its page does. */
  const paint = async (bounds: ReturnType<typeof boundsFile>) => {
    const loading = once(pages, 'loaded');
    open(bounds).show();
    await loading;
    showFirst(windows()[0]!.webContents as never);
    expect(latest().did).toEqual(['show']);
  };

  it('saves and restores its position', async () => {
    const bounds = boundsFile();
    await paint(bounds);
    windows()[0]!.setBounds({ x: 10, y: 20, width: 900, height: 700 });
    windows()[0]!.close();
    expect(bounds.content).toEqual({ x: 10, y: 20, width: 900, height: 700, maximized: false });
    await nextTurn();
    await paint(bounds);
    expect(latest().options).toMatchObject({ x: 10, y: 20 });
  });

  it('keeps its zoom when another window opens, which has the same', async () => {
    const bounds = boundsFile({ zoomLevel: 0 });
    await paint(bounds);
    windows()[0]!.webContents.setZoomLevel(2);
    const loading = once(pages, 'loaded');
    await new ArticleWindows(bounds).open(STORY);
    await loading;
    expect(record.windows.map(({ zoomLevel }) => zoomLevel)).toEqual([2, 2]);
    windows()[0]!.webContents.setZoomLevel(0);
  });

  it('zooms by the wheel, within limits', () => {
    open().show();
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
