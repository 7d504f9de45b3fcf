import { expect } from 'vitest';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { parseEntry } from '../../../src-renderer/app/history.svelte.ts';
import { settle } from './settle.ts';
import { waitFor } from './wait.ts';

/** Stays until the location has its own entry in the history of the window: shorter stays get none. */
export async function stay(app: AppState): Promise<void> {
  await settle();
  const noted = (): string => (history.state as { broadsheet: string }).broadsheet;
  await waitFor(() => expect(parseEntry(noted())?.location).toEqual(app.history.location));
  await settle();
}
