import { tick } from 'svelte';
import { isBusy } from './controlled-wire.ts';

// As loaded: a test may replace timers.
const { setImmediate } = globalThis;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A core works on between its replies, a turn of the event loop at a time: it indexes, and matches rules. */
const TURNS = 8;
let cores = 0;

/** Lets {@link settle} wait for the work of a core, until the returned function is called. */
export function expectWork(): () => void {
  cores += 1;
  return () => void (cores -= 1);
}

/** Lets every answer of the core arrive, and the page follow. */
export async function settle(): Promise<void> {
  for (let left = cores > 0 ? TURNS : 1; left > 0; left -= 1) {
    if (cores > 0) await turn();
    while (isBusy()) await turn();
    for (let i = 0; i < 25; i += 1) await Promise.resolve();
    await tick();
    if (isBusy()) left = TURNS;
  }
}
