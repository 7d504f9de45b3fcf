import { configure, fireEvent, screen, within, type BoundFunctions, type queries } from '@testing-library/svelte';
import { afterAll, beforeAll } from 'vitest';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { NOW, openCore, type CoreWire } from './core.ts';
import { madeUpRow } from './made-up-items.ts';
import { MemoryWire } from './memory-wire.ts';
import { openPage } from './page.ts';
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

/** The whole page in English, with twelve selected items. */
export async function openWithItems(now: number): Promise<{ app: AppState; wire: MemoryWire }> {
  const wire = new MemoryWire(
    Array.from({ length: 12 }, (_, n) => madeUpRow(n, now, { inSelectedSet: true })),
    now,
  );
  wire.settings = { ...wire.settings, language: 'en' };
  const { app } = await openPage(wire);
  return { app, wire };
}

/** The whole page, with twelve selected items. */
export async function openOnItems(): Promise<{ app: AppState; wire: CoreWire }> {
  const items = Array.from({ length: 12 }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: true }));
  const wire = await openCore({ items });
  const { app } = await openPage(wire);
  return { app, wire };
}

/** The view that is shown. */
export function shown(): BoundFunctions<typeof queries> {
  return within(document.querySelector<HTMLElement>('.view:not(.away)')!);
}

export function named(role: string, name: string | RegExp): HTMLElement {
  return shown().getByRole(role, { name });
}

/** Opens a view from the sidebar. */
export async function show(view: 'Hot topics' | 'Stories' | 'Archive' | 'Sources' | 'Statistics'): Promise<void> {
  const views = screen.getByRole('navigation', { name: 'Views' });
  await fireEvent.click(within(views).getByRole('button', { name: new RegExp(`^${view}`) }));
  await waitFor(() => named('heading', view), { timeout: 8_000 });
  await settle();
}

export async function click(role: string, name: string | RegExp): Promise<void> {
  await fireEvent.click(named(role, name));
  await settle();
}
