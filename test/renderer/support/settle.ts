import { tick } from 'svelte';

/** Lets every answer of a core in memory arrive, and the page follow. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 25; i += 1) await Promise.resolve();
  await tick();
}
