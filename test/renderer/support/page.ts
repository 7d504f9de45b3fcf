import { render, type RenderResult } from '@testing-library/svelte';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { writeLocation } from '../../../src-main/contract/location.ts';
import { FIRST_QUERY } from '../../../src-renderer/features/feed/index.ts';
import App from '../../../src-renderer/app/App.svelte';
import { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { settle } from './settle.ts';

const LIST = writeLocation({ view: 'feed', query: FIRST_QUERY, open: [] });

interface PageOptions {
  /** True for the first start of a day, or the last place. Default: at the list, which most tests are about. */
  starts?: boolean;
}

/** Lets the next page begin at the list, as after a reload there. */
export function startAtList(): void {
  if (history.state === null) history.replaceState({ broadsheet: LIST, at: 0 }, '');
}

/** The whole page over a core, with its list laid out. */
export async function openPage(
  wire: Wire,
  { starts = false }: PageOptions = {},
): Promise<{ app: AppState; page: RenderResult<typeof App> }> {
  if (!starts) startAtList();
  const app = new AppState(wire);
  await app.load();
  const page = render(App, { app });
  await settle();
  return { app, page };
}
