import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { titled, whyNoPage } from './support/chromium.ts';
import { WAIT, expectReading, openPage, rowOf, searchItems, shows, type OpenPage } from './support/open-page.ts';
import { openScene, type Scene } from './support/scene.ts';

const SCRIPT = '<script>globalThis.pwned = 1</script>';
const IMAGE = '<img src=x onerror="globalThis.pwned = 2"><svg onload="globalThis.pwned = 3">';

describe.skipIf(whyNoPage !== null)(titled('attacks by the service and by other pages'), () => {
  let scene: Scene;
  let open: OpenPage;
  let page: Page;

  beforeAll(async () => {
    scene = await openScene({
      content: { selected: 20, days: 5 },
      prepare: ({ control }) =>
        void control.addItem({
          title: `${SCRIPT} reasons`,
          originalTitle: IMAGE,
          summary: `${IMAGE}\n[a link](javascript:alert(1))\n${SCRIPT}`,
          reason: IMAGE,
          source: { name: IMAGE },
          category: IMAGE,
          links: { original: 'javascript:globalThis.pwned=4', aihot: 'data:text/html,<script>1</script>' },
          attribution: { name: SCRIPT, url: 'javascript:globalThis.pwned=5' },
          someday: { [IMAGE]: IMAGE },
        }),
    });
    open = await openPage(scene.browser, scene.reader.address);
    page = open.page;
    await shows(page, SCRIPT);
    return scene.close;
  });

  it('shows markup as text', async () => {
    await searchItems(page, 'reasons');
    await page.locator('#feed-list h1', { hasText: / match(es)?$/ }).waitFor();
    await rowOf(page, SCRIPT).click();
    await expectReading(page, `${SCRIPT} reasons`);
    const article = page.getByRole('article');
    for (const text of [IMAGE, '[a link](javascript:alert(1))']) await article.getByText(text).first().waitFor();
    await article.getByText('Only web links can be opened.').waitFor();
    expect(await page.locator('article img, article a[href], article script, [role=option] img').count()).toBe(0);
    expect(await page.evaluate('globalThis.pwned')).toBeUndefined();
    await page.keyboard.press('o');
    await page.getByText('Only web links can be opened.').nth(1).waitFor();
    expect(page.context().pages()).toHaveLength(1);
  });

  it('violates no policy and sends no request to other hosts', () => {
    expect(open.complaints).toEqual([]);
    expect(open.outside).toEqual([]);
  });

  it('runs no injected script', async () => {
    const refused = (code: string) =>
      page.evaluate(`(async () => { ${code} })()`).then(
        () => false,
        () => true,
      );
    expect(await refused(`document.body.insertAdjacentHTML('beforeend', '<b>text</b>')`)).toBe(true);
    expect(await refused(`document.createElement('script').text = 'globalThis.pwned = 6'`)).toBe(true);
    expect(await refused(`await fetch('https://news.example/')`)).toBe(true);
    expect(await page.evaluate('globalThis.pwned')).toBeUndefined();
    expect(open.outside).toEqual([]);
  });

  describe('from a page of another origin, in the same browser', () => {
    let neighbour: Server;
    let foreign: Page;
    const answers: { path: string; status: number }[] = [];

    beforeAll(async () => {
      neighbour = createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Neighbour</title>');
      });
      await new Promise<void>((resolve) => neighbour.listen(0, '127.0.0.1', resolve));
      // The same browser context: cookies ignore ports, so the session cookie is sent too.
      foreign = await page.context().newPage();
      foreign.on('response', (response) => {
        const url = new URL(response.url());
        if (url.origin === scene.reader.origin) answers.push({ path: url.pathname, status: response.status() });
      });
    });
    afterAll(() => {
      neighbour.closeAllConnections();
      neighbour.close();
    });

    async function visit(): Promise<void> {
      answers.length = 0;
      await foreign.goto(`http://127.0.0.1:${(neighbour.address() as AddressInfo).port}/`);
    }

    it.each([
      ['a call', { method: 'POST', headers: { 'content-type': 'application/json' } }],
      ['a call without preflight', { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' } }],
      ['a call with credentials', { method: 'POST', mode: 'no-cors', credentials: 'include' }],
    ])('refuses %s', async (_name, init) => {
      await visit();
      const body = JSON.stringify({ patch: { theme: 'dark' } });
      const seen = await foreign.evaluate(
        async ([url, options]) => {
          const answer = await fetch(url, options as RequestInit).catch(() => null);
          return answer === null ? 'refused' : `${answer.type} ${await answer.text()}`;
        },
        [`${scene.reader.origin}/call/settings.set`, { ...init, body }] as const,
      );
      expect(seen === 'refused' || seen === 'opaque ').toBe(true);
      expect(answers.every(({ status }) => status === 403)).toBe(true);
      expect((await open.call('settings.get', {})).theme).toBe('system');
    });

    it('refuses a form', async () => {
      await visit();
      const answer = foreign.waitForResponse((response) => response.url().includes('/call/'));
      await foreign.evaluate((action) => {
        const form = document.createElement('form');
        Object.assign(form, { action, method: 'POST', enctype: 'text/plain' });
        const field = Object.assign(document.createElement('input'), {
          name: '{"patch":{"theme":"dark"},"x":"',
          value: '"}',
        });
        form.append(field);
        document.body.append(form);
        form.submit();
      }, `${scene.reader.origin}/call/settings.set`);
      expect((await answer).status()).toBe(403);
      // Wait for the error page, which would otherwise interrupt the next navigation.
      await foreign.waitForURL((url) => url.pathname.startsWith('/call/'));
      expect((await open.call('settings.get', {})).theme).toBe('system');
    });

    it('refuses event streams', async () => {
      await visit();
      const heard = await foreign.evaluate((url) => {
        const source = new EventSource(url, { withCredentials: true });
        return new Promise((resolve) => {
          source.addEventListener('error', () =>
            resolve(source.readyState === EventSource.CLOSED ? 'refused' : 'broken'),
          );
          source.addEventListener('open', () => resolve('open'));
        });
      }, `${scene.reader.origin}/events`);
      expect(heard).toBe('refused');
    });

    it('cannot be framed and provides no script', async () => {
      await visit();
      const script = await page.evaluate<string>(`document.querySelector('script[type=module]').src`);
      const outcome = await foreign.evaluate(
        ([frame, source]) => {
          document.body.append(Object.assign(document.createElement('iframe'), { src: frame }));
          const lent = Object.assign(document.createElement('script'), { src: source });
          document.body.append(lent);
          return new Promise((resolve) => {
            lent.addEventListener('error', () => resolve('refused'));
            lent.addEventListener('load', () => resolve('loaded'));
          });
        },
        [`${scene.reader.origin}/`, script] as const,
      );
      expect(outcome).toBe('refused');
      // The browser's page for content that must not be framed.
      await expect.poll(() => foreign.frames()[1]?.url(), WAIT).toMatch(/^chrome-error:/);
    });
  });
});
