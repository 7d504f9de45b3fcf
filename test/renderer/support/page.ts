import { render, type RenderResult } from '@testing-library/svelte';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { writeLocation } from '../../../src-main/contract/location.ts';
import { FIRST_QUERY } from '../../../src-renderer/features/feed/index.ts';
import App from '../../../src-renderer/app/App.svelte';
import { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import Dialogs from './Dialogs.svelte';
import { settle } from './settle.ts';

const LIST = writeLocation({ view: 'feed', query: FIRST_QUERY, open: [] });
const STARRED = writeLocation({ view: 'feed', query: { ...FIRST_QUERY, scope: 'all', state: 'starred' }, open: [] });

export interface PageOptions {
  /** True for the first start of a day, or the last place. Default: at the list, which most tests are about. */
  starts?: boolean;
  /** True for tests of another view: at the starred items. Rendering a list takes longer than the rest of the page. */
  withoutRows?: boolean;
}

/** The state of the page, for tests that look at nothing else. */
export async function openApp(
  wire: Wire,
  { starts = false, withoutRows = false }: PageOptions = {},
): Promise<AppState> {
  // As after a reload there.
  const list = withoutRows ? STARRED : LIST;
  if (!starts && history.state === null) history.replaceState({ broadsheet: list, at: 0 }, '');
  const app = new AppState(wire);
  await app.load();
  return app;
}

/** The dialogs of the page, without what they cover: Svelte needs longer for that. */
export async function openDialogs(wire: Wire): Promise<AppState> {
  const app = await openApp(wire);
  render(Dialogs, { app });
  return app;
}

/** The whole page over a core, with its list laid out. */
export async function openPage(
  wire: Wire,
  options?: PageOptions,
): Promise<{ app: AppState; page: RenderResult<typeof App> }> {
  const app = await openApp(wire, options);
  const page = render(App, { app });
  await settle();
  return { app, page };
}
