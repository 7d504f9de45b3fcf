import fc from 'fast-check';
import { isWhole, SEED } from './proofs.ts';

/** Longer cases are cut in the message of a failure; the seed and the path repeat them. */
const MOST_SHOWN = 4_000;

/** In ms, for cases that hang. Below that of a test (vitest.config.ts), so that the message arrives. */
const LIMIT = isWhole ? 50 * 60_000 : 4 * 60_000;

/**
 * Checks generated cases with the seed of this run. `check` throws if one does not hold; it is `alone` after the first
 * failure: cases then have to run by themselves, so that what earlier cases left behind takes no part in finding the smallest
 * one. Errors: one did not hold, or time was over; the message has its seed, its path
 * (`npm run proofs -- --seed N --path P FILE`) and the smallest case that was found.
 */
export async function expectHeld<T>(
  cases: fc.Arbitrary<T>,
  runs: number,
  check: (one: T, alone: boolean) => Promise<void>,
): Promise<void> {
  let [ran, alone] = [0, false];
  const property = fc.asyncProperty(cases, async (one) => {
    if (!alone) ran += 1;
    try {
      await check(one, alone);
    } catch (error) {
      alone = true;
      throw error;
    }
  });
  const path = process.env['BROADSHEET_PATH'];
  const result = await fc.check(property, {
    seed: SEED,
    numRuns: runs,
    interruptAfterTimeLimit: LIMIT,
    markInterruptAsFailure: true,
    ...(path && { path }),
  });
  if (!result.failed) return;
  if (!alone) throw new Error(`Time was over after ${ran} of ${runs} cases.`);
  const smallest = fc.stringify(result.counterexample?.[0]);
  const shown = smallest.length > MOST_SHOWN ? `${smallest.slice(0, MOST_SHOWN)}... (${smallest.length})` : smallest;
  throw new Error(
    `Seed ${result.seed}, path ${result.counterexamplePath ?? 'none'}, case ${ran}, made smaller ${result.numShrinks} times. ` +
      `The smallest case: ${shown}\n${String(result.errorInstance)}`,
    { cause: result.errorInstance },
  );
}
