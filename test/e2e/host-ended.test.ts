import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { titled, whyNoPage } from './support/chromium.ts';
import { pressGo } from './support/desktop.ts';
import { openPage, rowsOf, type OpenPage } from './support/open-page.ts';
import { openScene, type Scene } from './support/scene.ts';

const VIEWS = [
  ['h', 'Topics'],
  ['s', 'Topics'],
  ['a', 'Reports'],
  ['m', 'Models'],
  ['o', 'Sources'],
  ['c', 'Sources'],
  ['n', 'Saved'],
] as const;

describe.skipIf(whyNoPage !== null)(titled('a page whose host has ended'), () => {
  let scene: Scene;
  let open: OpenPage;

  beforeAll(async () => {
    scene = await openScene({ content: { selected: 40, days: 2 } });
    open = await openPage(scene.browser, scene.reader.address);
    await rowsOf(open.page).first().click();
    await open.page.getByRole('article').waitFor();
    await scene.reader.close();
    await scene.service.close();
  });
  afterAll(() => scene.browser.close());

  it('keeps its rows and the open article', async () => {
    await open.page
      .getByText(/isn’t responding/)
      .first()
      .waitFor();
    expect(await rowsOf(open.page).count()).toBeGreaterThan(5);
    expect((await open.page.getByRole('article').innerText()).length).toBeGreaterThan(80);
  });

  it.each(VIEWS)('shows g %s, which was never opened, and says why it is empty', async (key, name) => {
    await pressGo(open.page, key);
    await open.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    const view = open.page.locator('.view:not(.away)');
    await view
      .getByText(/isn’t responding/)
      .first()
      .waitFor();
  });

  it('opens the settings and the shortcuts', async () => {
    await open.page.getByRole('button', { name: 'Settings', exact: true }).click();
    await open.page.getByRole('dialog', { name: 'Settings' }).waitFor();
    await open.page.keyboard.press('Escape');
    await open.page.getByRole('dialog').waitFor({ state: 'detached' });
    await open.page.keyboard.press('?');
    await open.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });
});
