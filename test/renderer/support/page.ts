import { render, type RenderResult } from '@testing-library/svelte';
import type { Wire } from '../../../src-main/contract/wire.ts';
import App from '../../../src-renderer/app/App.svelte';
import { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { settle } from './settle.ts';

/** The whole page over a core, with its list laid out. */
export async function openPage(wire: Wire): Promise<{ app: AppState; page: RenderResult<typeof App> }> {
  const app = new AppState(wire);
  await app.load();
  const page = render(App, { app });
  await settle();
  return { app, page };
}
