import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { titled, whyNoPage } from './support/chromium.ts';
import { begin, openFilled, WAIT, type OpenPage } from './support/open-page.ts';
import { openScene, type Scene } from './support/scene.ts';

/** However a daily is read, its stories count, and it ends. With j and n: keyboard-journey.test.ts. */
describe.skipIf(whyNoPage !== null)(titled('a daily is read'), () => {
  let scene: Scene;
  let open: OpenPage;

  beforeAll(async () => {
    scene = await openScene({ content: { selected: 48, days: 4 } });
    open = await openFilled(scene, { hasTouch: true });
    return scene.close;
  });

  const text = () => open.page.locator('#archive-reading .scroller');
  const daily = async () => (await open.call('today.get', {})).daily!;
  const top = (): Promise<number> => text().evaluate((one) => one.scrollTop);
  const isAtEnd = (): Promise<boolean> =>
    text().evaluate((one) => one.scrollHeight - one.clientHeight - one.scrollTop <= 1);

  /** Opens the unread daily. */
  async function openUnread(): Promise<void> {
    await begin(open);
    const { label } = await daily();
    const { sections, flashes } = await open.call('reports.get', { kind: 'daily', label });
    const keys = [...sections.flatMap(({ items }) => items), ...flashes].flatMap(({ key }) => key ?? []);
    await open.call('reports.markCitations', { keys, read: false });
    await open.call('reports.mark', { kind: 'daily', label, read: false });
    expect((await daily()).read).toBe(0);
    await open.page.keyboard.press('g');
    await open.page.keyboard.press('d');
    await text().locator('.citation').first().waitFor();
  }

  /** Reads on until the end is reached, and checks that everything counted. */
  async function readAll(step: () => Promise<unknown>): Promise<void> {
    for (let n = 0; n < 200 && !(await isAtEnd()); n += 1) {
      await step();
      // The browser looks at what is in view once a frame.
      await open.page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
    }
    const end = text().getByRole('region', { name: 'End of the report' });
    await end.getByText(/^That’s /).waitFor();
    const { stories, label } = await daily();
    await expect.poll(async () => (await daily()).read, WAIT).toBe(stories);
    // Nobody reads so fast.
    await end.getByText(`${String(stories)} stories`, { exact: true }).waitFor();
    expect((await open.call('reports.get', { kind: 'daily', label })).readAt).not.toBeNull();
    expect(open.complaints).toEqual([]);
  }

  beforeEach(openUnread);

  it('by wheel', async () => {
    await text().hover();
    await readAll(async () => {
      const before = await top();
      await open.page.mouse.wheel(0, 300);
      await expect.poll(top, WAIT).not.toBe(before);
    });
  });

  it('with Space, which goes on to Today at its end', async () => {
    await readAll(() => open.page.keyboard.press('Space'));
    await open.page.keyboard.press('Space');
    await open.page
      .locator('#today-list')
      .getByText(/^Next daily about /)
      .waitFor();
  });

  it('by touch', async () => {
    const session = await open.page.context().newCDPSession(open.page);
    const box = (await text().boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number): Promise<unknown> =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x, y: at }] });
    await readAll(async () => {
      await touch('touchStart', y + 200);
      for (let moved = 150; moved >= -200; moved -= 50) await touch('touchMove', y + moved);
      await touch('touchEnd');
    });
  });
});
