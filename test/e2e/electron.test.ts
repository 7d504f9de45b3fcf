import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { electronProgram, whyNoWindow } from '../../scripts/setup/electron/binary.mjs';
import { writeSettings } from '../support/test-server.ts';
import { unlessRequired } from './support/required.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(project, 'node_modules/electron/dist');
const program = join(folder, electronProgram(process.platform));

interface Reports {
  value: { lines: { label: string }[] };
}

/** Tests the parts that the fake lacks: real windows, sandbox, context bridge, scheme and policy. */
const reason = unlessRequired(whyNot());

function whyNot(): string | null {
  if (!existsSync(program)) return 'no Electron binary on this machine';
  if (!existsSync(join(project, 'out/main/main.js'))) return 'the app is not built: run "npm run build"';
  return whyNoWindow({ platform: process.platform, env: process.env, isRoot: process.getuid?.() === 0 });
}

describe.skipIf(reason !== null)(
  reason === null ? 'the desktop app in Electron' : `the desktop app in Electron (skipped: ${reason})`,
  () => {
    let dataFolder: string;
    let app: ElectronApplication;
    let page: Page;
    const complaints: string[] = [];

    beforeAll(async () => {
      dataFolder = await mkdtemp(join(tmpdir(), 'broadsheet-e2e-'));
      await writeSettings(dataFolder);
      app = await start();
      page = await app.firstWindow();
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.reload();
    });
    afterAll(async () => {
      await app.close();
      await rm(dataFolder, { recursive: true, force: true });
    });

    function start(): Promise<ElectronApplication> {
      const env = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return _electron.launch({
        executablePath: program,
        args: [project],
        // By default, Playwright adds --no-sandbox.
        chromiumSandbox: true,
        env: { ...Object.fromEntries(env), BROADSHEET_DATA: dataFolder },
      });
    }

    it('shows the demo service in its page', async () => {
      expect(page.url()).toBe('app://broadsheet/index.html');
      await expect
        .poll(() => page.locator('[role="option"], [role="row"], article').count(), { timeout: 60_000 })
        .toBeGreaterThan(0);
    });

    it('complies with its content security policy', () => {
      expect(complaints).toEqual([]);
    });

    it('exposes two functions to the page and nothing of Node', async () => {
      const seen = await page.evaluate(() => {
        const page = globalThis as unknown as Record<string, object | undefined>;
        return {
          wire: Object.keys(page['broadsheet'] ?? {}).sort(),
          process: typeof page['process'],
          require: typeof page['require'],
        };
      });
      expect(seen).toEqual({ wire: ['call', 'on'], process: 'undefined', require: 'undefined' });
    });

    it('answers through the real context bridge and IPC', async () => {
      const reply = await page.evaluate(() =>
        (
          globalThis as unknown as { broadsheet: { call(method: string, args: object): Promise<unknown> } }
        ).broadsheet.call('app.capabilities', {}),
      );
      expect(reply).toMatchObject({ ok: true, value: { host: 'electron', unsandboxed: false } });
    });

    it('runs its page in the sandbox', async () => {
      const preferences = await app.evaluate(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows();
        // Undocumented in Electron, but the only way to read the effective preferences.
        return (window?.webContents as unknown as { getLastWebPreferences(): object }).getLastWebPreferences();
      });
      expect(preferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false });
    });

    it('has no access to files or the network, and runs no text as code', async () => {
      const failed = (script: string) =>
        page.evaluate(script).then(
          () => false,
          () => true,
        );
      expect(await failed(`fetch('https://example.com/')`)).toBe(true);
      expect(await failed(`fetch('file:///etc/hosts')`)).toBe(true);
      expect(await failed(`document.body.innerHTML = '<b>text</b>'`)).toBe(true);
      const status = await page
        .evaluate(
          `new Promise((done) => { const s = document.createElement('script'); s.src = 'app://broadsheet/..%2f..%2fpackage.json'; s.onerror = () => done('refused'); s.onload = () => done('loaded'); document.head.append(s); })`,
        )
        .catch(() => 'refused');
      expect(status).toBe('refused');
    });

    it('lets its session reach no address, also without the policy of a page', async () => {
      const errors = await app.evaluate(
        ({ session }, urls) =>
          Promise.all(urls.map((url) => session.defaultSession.fetch(url).then(() => 'answered', String))),
        ['http://127.0.0.1:9/', 'https://example.com/'],
      );
      for (const error of errors) expect(error).toContain('ERR_BLOCKED_BY_CLIENT');
    });

    it('keeps its page and its only window', async () => {
      await page.evaluate(`void open('about:blank')`);
      await page.evaluate(`void (location.href = 'file:///etc/hosts')`).catch(() => undefined);
      expect(page.url()).toBe('app://broadsheet/index.html');
      expect(app.windows()).toHaveLength(1);
    });

    it('denies permissions', async () => {
      expect(await page.evaluate(`Notification.requestPermission()`)).toBe('denied');
      expect(
        await page.evaluate(`navigator.permissions.query({ name: 'geolocation' }).then((found) => found.state)`),
      ).toBe('denied');
    });

    it('opens a report in a window of its own, which keeps the zoom', async () => {
      const zooms = () =>
        app.evaluate(({ BrowserWindow }) =>
          BrowserWindow.getAllWindows().map(({ webContents }) => webContents.zoomLevel),
        );
      // Not the first of all windows, which is the other one while that is being closed: Electron would crash.
      const zoomMain = (to: number) =>
        app.evaluate(({ BrowserWindow }, level) => BrowserWindow.fromId(1)?.webContents.setZoomLevel(level), to);
      await zoomMain(1);
      const reports = () => page.evaluate<Reports>(`broadsheet.call('reports.index', { kind: 'daily' })`);
      await expect.poll(async () => (await reports()).value.lines.length, { timeout: 60_000 }).toBeGreaterThan(0);
      const { label } = (await reports()).value.lines[0]!;
      const opening = app.waitForEvent('window');
      await page.evaluate(
        `broadsheet.call('app.openWindow', { target: { view: 'report', kind: 'daily', label: '${label}' } })`,
      );
      const own = await opening;
      await own.locator('#report-title').waitFor();
      expect(await zooms()).toEqual([1, 1]);
      await own.close();
      await zoomMain(0);
    });

    it('prints its page to a PDF', async () => {
      // Not in the data folder, into which nothing is exported.
      const file = `${dataFolder}-page.pdf`;
      await app.evaluate(({ dialog }, filePath) => {
        // Nobody could answer the system's own dialog.
        dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
      }, file);
      const reply = await page.evaluate(`broadsheet.call('page.savePdf', { name: 'page.pdf' })`);
      expect(reply).toEqual({ ok: true, value: { saved: true } });
      const pdf = await readFile(file, 'latin1');
      expect(pdf.slice(0, 5)).toBe('%PDF-');
      // A4, in points.
      expect(pdf).toMatch(/\/MediaBox \[0 0 59[45](?:\.\d+)? 84[12](?:\.\d+)?\]/);
    });

    it('downloads a file generated by its page, and no other', async () => {
      const file = join(dataFolder, 'made.txt');
      await app.evaluate(({ session }, path) => {
        session.defaultSession.on('will-download', (event, item) => {
          if (!event.defaultPrevented) item.setSavePath(path);
        });
      }, file);
      const download = (address: string) =>
        page.evaluate(
          `{ const link = document.createElement('a'); link.href = ${address}; link.download = 'made.txt'; link.click(); }`,
        );
      await download(`'data:text/plain,other'`);
      await download(`URL.createObjectURL(new Blob(['made']))`);
      await expect.poll(() => readFile(file, 'utf8').catch(() => null), { timeout: 10_000 }).toBe('made');
    });

    it('does not start a second instance', async () => {
      const second = await start().catch(() => null);
      if (second) await second.waitForEvent('close');
      expect(app.windows()).toHaveLength(1);
    });
  },
);
