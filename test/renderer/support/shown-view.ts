import { configure, fireEvent, screen, within, type BoundFunctions, type queries } from '@testing-library/svelte';
import { afterAll, beforeAll } from 'vitest';
import type { ReportLine } from '../../../src-main/contract/model/report.ts';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { NOW, openCore, STORIES, type CoreOptions, type CoreWire } from './core.ts';
import { madeUpRow } from './made-up-items.ts';
import { openPage, type PageOptions } from './page.ts';
import { settle } from './settle.ts';
import { waitFor } from './wait.ts';

/**
 * Lets queries by role find hidden elements, too, for tests that query only the shown view: jsdom is slow to compute
 * the visibility of each element.
 */
export function askShownView(): void {
  beforeAll(() => configure({ defaultHidden: true }));
  afterAll(() => configure({ defaultHidden: false }));
}

/** The whole page over a core. */
export async function openOn(options: CoreOptions, page?: PageOptions): Promise<{ app: AppState; wire: CoreWire }> {
  const wire = await openCore(options);
  const { app } = await openPage(wire, page);
  return { app, wire };
}

/** Twelve selected items. */
export const ITEMS = Array.from({ length: 12 }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: true }));

/** The whole page, with these items. */
export function openOnItems(page?: PageOptions): Promise<{ app: AppState; wire: CoreWire }> {
  return openOn({ items: ITEMS }, page);
}

/** The whole page, with a daily of which the reader has read every fourth story in the feed. */
export async function openOnDaily(): Promise<{ app: AppState; wire: CoreWire }> {
  const wire = await openCore(STORIES);
  const [{ label }] = (await wire.ask('reports.index', { kind: 'daily' })).lines as [ReportLine];
  const { sections } = await wire.ask('reports.get', { kind: 'daily', label });
  const cited = sections.flatMap(({ items }) => items.flatMap(({ itemId }) => itemId ?? []));
  await wire.ask('items.mark', { ids: cited.filter((_, n) => n % 4 === 1), mark: 'read' });
  const { app } = await openPage(wire, { withoutRows: true });
  return { app, wire };
}

/** The view that is shown. */
export function shown(): BoundFunctions<typeof queries> {
  return within(document.querySelector<HTMLElement>('.view:not(.away)')!);
}

/** The headings of the shown view, from the top. */
export function headings(): string[] {
  const found = document.querySelectorAll('.view:not(.away) :is(h1, h2, h3)');
  return Array.from(found, ({ textContent }) => textContent.replace(/\s+/g, ' ').trim());
}

export function named(role: string, name: string | RegExp): HTMLElement {
  return shown().getByRole(role, { name });
}

/** Opens a view from the sidebar, and one of the tabs in its heading. */
export async function show(view: 'Saved' | 'Topics' | 'Reports', tab?: string): Promise<void> {
  const views = screen.getByRole('navigation', { name: 'Views' });
  await fireEvent.click(within(views).getByRole('button', { name: new RegExp(`^${view}`) }));
  await waitFor(() => named('heading', view));
  await settle();
  if (tab !== undefined) await chooseTab(tab);
}

/** Chooses a tab in the heading of the shown view. */
export async function chooseTab(name: string): Promise<void> {
  const [heading] = shown().getAllByRole('heading', { level: 1 });
  await fireEvent.click(within(heading!.closest('header')!).getByRole('button', { name }));
  await settle();
}

/** Presses g and another key. */
export async function pressGo(key: string): Promise<void> {
  for (const one of ['g', key]) await fireEvent.keyDown(document.body, { key: one });
  await settle();
}

export async function click(role: string, name: string | RegExp): Promise<void> {
  await fireEvent.click(named(role, name));
  await settle();
}

/** Chooses an entry of the menu of the open report. */
export async function actOnReport(name: string): Promise<void> {
  await click('button', 'More actions for this report');
  await click('menuitem', name);
}
