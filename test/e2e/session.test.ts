import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { redirectPage } from '../../scripts/setup/open-privately.mjs';
import { newDataFolder, startTestServer } from '../support/test-server.ts';
import { titled, whyNoPage } from './support/chromium.ts';
import { pressGo } from './support/desktop.ts';
import { openPage, WAIT, type OpenPage } from './support/open-page.ts';
import { openScene, type Scene } from './support/scene.ts';

const NO_ANSWER = /isn’t responding/;
/** The second key of each view after g, and its heading. */
const UNOPENED = [
  ['h', 'Topics'],
  ['a', 'Reports'],
  ['m', 'Models'],
  ['o', 'Sources'],
  ['n', 'Saved'],
] as const;
const KEY = `localStorage.getItem('broadsheet.key')`;
/** The list, or Today where nothing else was open. */
const hasRows = (page: Page) =>
  page.locator('.view:not(.away)').locator('[role=option], [data-headline]').first().waitFor();

/** Runs before the page's code: it waits a fifth as long before it tries again. */
function hurry(): void {
  const wait = window.setTimeout.bind(window);
  window.setTimeout = ((run: () => void, ms = 0) => wait(run, ms / 5)) as typeof window.setTimeout;
}

describe.skipIf(whyNoPage !== null)(titled('the session of the loopback server'), () => {
  let scene: Scene;
  /** The window of the first two tests. */
  let open: OpenPage;

  beforeAll(async () => {
    scene = await openScene({ content: { selected: 20, days: 3 } });
    open = await openPage(scene.browser, scene.reader.address);
    return scene.close;
  });

  it('leaves neither token nor key in the address or the page, and lasts over a reload', async () => {
    const { page, complaints } = open;
    await hasRows(page);
    const key = await page.evaluate<string>(KEY);
    expect(key).toMatch(/^[\w-]{43}$/);
    for (const reload of [true, false]) {
      expect(page.url()).toBe(`${scene.reader.origin}/`);
      expect(await page.content()).not.toContain(key);
      if (reload) await page.reload();
      await hasRows(page);
    }
    expect(complaints).toEqual([]);
  });

  it('is shared by a second tab, which stays when the first is closed, and hears events', async () => {
    const { page } = open;
    const second = await page.context().newPage();
    await second.goto(scene.reader.origin);
    await hasRows(second);
    await page.close();
    // Not by the page's code, which would know of it without an event.
    await second.evaluate(
      async (key) => {
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
        await fetch('/call/settings.set', { method: 'POST', headers, body: '{"patch":{"theme":"dark"}}' });
      },
      await second.evaluate<string>(KEY),
    );
    await expect.poll(() => second.evaluate(`document.documentElement.dataset.theme`), WAIT).toBe('dark');
    await open.close();
  });

  it('opens from the file of the launcher, and again from the history', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'broadsheet-open-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'open.html');
    await writeFile(file, redirectPage(scene.reader.address));
    const context = await scene.browser.newContext();
    const page = await context.newPage();
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(frame.url()));
    await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' });
    await page.waitForURL(`${scene.reader.origin}/`);
    await hasRows(page);
    expect(visited.filter((url) => url.includes('token='))).toEqual([]);
    const ticket = visited.find((url) => url.includes('ticket=')) ?? '';
    expect(ticket).not.toBe('');
    await page.goto(ticket);
    await hasRows(page);
    expect(page.url()).toBe(`${scene.reader.origin}/`);
    await context.close();
  });

  it('lasts over a restart: meanwhile the tab shows what it has, and says that nobody answers', async () => {
    const dataFolder = await newDataFolder();
    onTestFinished(() => rm(dataFolder, { recursive: true, force: true }));
    const settings = { newsAddress: scene.service.newsAddress };
    const first = await startTestServer({ dataFolder, settings, port: 0 });
    const port = Number(new URL(first.origin).port);
    const { page, close } = await openPage(scene.browser, first.address, {}, (opened) => opened.addInitScript(hurry));
    await hasRows(page);
    const key = await page.evaluate<string>(KEY);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    await first.close();
    await page.getByText(NO_ANSWER).first().waitFor();
    await hasRows(page);
    // None of these was opened before: their code has to be there.
    for (const [letter, name] of UNOPENED) {
      await pressGo(page, letter);
      const view = page.locator('.view:not(.away)');
      await view.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      await view.getByText(NO_ANSWER).first().waitFor();
    }
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();

    const again = await startTestServer({ dataFolder, port });
    onTestFinished(() => again.close());
    await expect.poll(() => page.evaluate(KEY), { timeout: 60_000 }).not.toBe(key);
    const other = await page.context().newPage();
    await other.goto(again.origin);
    await hasRows(other);
    // No script can read what makes the keys.
    const stored = await other.evaluate(`new Promise((resolve) => {
      const opening = indexedDB.open('broadsheet');
      opening.onsuccess = () => {
        const reading = opening.result.transaction('keys').objectStore('keys').getAll();
        reading.onsuccess = () =>
          crypto.subtle.exportKey('raw', reading.result[0]).then(() => resolve('read'), (error) => resolve(error.name));
      };
    })`);
    expect(stored).toBe('InvalidAccessError');
    await close();
  });
});
