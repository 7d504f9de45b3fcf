import type { Locator, Page } from 'playwright';
import { expect, vi } from 'vitest';
import type { Calls } from './calls.ts';
import { WAIT } from './open-page.ts';

/** Opens a view from the sidebar, or from the drawer in a narrow window, and one of the tabs in its heading. */
export async function openView(page: Page, view: string, tab?: string): Promise<void> {
  const menu = page.locator('.view:not(.away)').getByRole('button', { name: /^(Show views|显示视图)$/ });
  // The layout is known only when the page has been drawn.
  await menu.or(page.getByRole('navigation')).first().waitFor();
  if (await menu.isVisible()) await menu.click();
  await page
    .getByRole('navigation')
    .getByRole('button', { name: new RegExp(`^${view}`) })
    .click();
  await page.getByRole('heading', { level: 1, name: view }).waitFor();
  if (tab === undefined) return;
  await page.locator('.view:not(.away)').getByRole('group', { name: view }).getByRole('button', { name: tab }).click();
}

/** Presses g and another key, which shows a view. */
export async function pressGo(page: Page, key: string): Promise<void> {
  // Nothing handles the keys until the page is there.
  await page.locator('.view:not(.away)').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press(key);
}

/** Runs the first entry of the palette that a text finds. */
export async function runFromPalette(page: Page, text: string): Promise<void> {
  // Nothing handles the key until the page is there.
  await page.locator('.app').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(text);
  await page.getByRole('dialog').getByRole('option').filter({ hasText: text }).first().waitFor();
  await page.keyboard.press('Enter');
}

/** Opens a section of the open settings, with the control that fits the window. */
export async function showSection(page: Page, section: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  // Loaded on demand, and the layout is known only then.
  await dialog.waitFor();
  await dialog.getByRole('tab', { name: section }).click();
  await dialog.getByRole('tabpanel', { name: section }).waitFor();
}

export function rowsOfView(page: Page, view: 'hotTopics' | 'stories'): Locator {
  return page.locator(`#${view}-list [role=option]`);
}

/** The topics in the list of all that have a story, not only a rank. */
export function storyRows(page: Page): Locator {
  return rowsOfView(page, 'stories').filter({ has: page.locator('[data-entry]:not([data-entry*=" "])') });
}

/** Syncs everything once, and waits until all listed reports and linked stories are saved. */
export async function storeEverything({ call }: Calls): Promise<void> {
  await call('sync.run', { urgency: 'now' });
  for (const kind of ['daily', 'weekly', 'monthly'] as const) {
    await vi.waitFor(async () => {
      const missing = (await call('reports.index', { kind })).lines.filter(({ stored }) => !stored);
      // The sync above may have joined one in the background, which fetches a part and gives way to the user.
      if (missing.length > 0) await call('sync.run', { urgency: 'now' });
      expect(missing).toEqual([]);
    }, WAIT);
  }
  const { resources } = await call('health.get', {});
  expect(resources.filter(({ error }) => error).map(({ name }) => name)).toEqual([]);
}
