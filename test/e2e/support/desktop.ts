import type { Locator, Page } from 'playwright';
import { expect, vi } from 'vitest';
import { WAIT, type OpenPage } from './open-page.ts';

/** Goes to a desk by the sidebar, through its drawer where there is no room for it. */
export async function showDesk(page: Page, desk: string): Promise<void> {
  const menu = page.locator('.view:not(.away)').getByRole('button', { name: /^(Show views|显示视图)$/ });
  if (await menu.isVisible()) await menu.click();
  await page
    .getByRole('navigation')
    .getByRole('button', { name: new RegExp(`^${desk}`) })
    .click();
  await page.getByRole('heading', { level: 1, name: desk }).waitFor();
}

/** Shows a section of the settings, which are open, by whatever the window has room for. */
export async function showSection(page: Page, section: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  // It comes when it is first wanted, and what there is room for is seen only then.
  await dialog.waitFor();
  const tab = dialog.getByRole('tab', { name: section });
  if (await tab.isVisible()) await tab.click();
  else await dialog.getByRole('combobox').selectOption({ label: section });
  await dialog.getByRole('heading', { level: 3, name: section }).waitFor({ state: 'attached' });
}

export function rowsOfDesktop(page: Page, desk: 'hotTopics' | 'stories'): Locator {
  return page.locator(`#${desk}-list li button`);
}

/** Asks for everything once, and waits until all that the indexes list, and every linked story, is stored. */
export async function storeEverything({ call }: OpenPage): Promise<void> {
  await call('sync.run', { urgency: 'now' });
  for (const kind of ['daily', 'weekly', 'monthly'] as const) {
    await vi.waitFor(async () => {
      const { lines } = await call('reports.index', { kind });
      expect(lines.filter(({ stored }) => !stored)).toEqual([]);
    }, WAIT);
  }
  const { resources } = await call('health.get', {});
  expect(resources.filter(({ error }) => error).map(({ name }) => name)).toEqual([]);
}
