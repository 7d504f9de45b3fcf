import fc from 'fast-check';
import { SEED } from './proofs.ts';

/** Longer cases are cut in the message of a failure; the seed and the path repeat them. */
const MOST_SHOWN = 4_000;

export interface PropertyOptions<T> {
  /** Cases. */
  runs: number;
  /** After this time, no further case begins. */
  limitMs: number;
  /**
   * Throws if a case does not hold. `alone` after the first failure: cases then have to run by themselves, so that what
   * earlier cases left behind takes no part in finding the smallest one.
   */
  check: (one: T, alone: boolean) => Promise<void>;
}

/**
 * Checks generated cases with the seed of this run. Resolves with how many ran. Errors: one did not hold; the message has
 * its seed, its path (`npm run proofs -- --seed N --path P FILE`) and the smallest case that was found.
 */
export async function expectHeld<T>(
  cases: fc.Arbitrary<T>,
  { runs, limitMs, check }: PropertyOptions<T>,
): Promise<number> {
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
    interruptAfterTimeLimit: limitMs,
    ...(path && { path }),
  });
  if (!result.failed) return ran;
  const smallest = fc.stringify(result.counterexample?.[0]);
  const shown = smallest.length > MOST_SHOWN ? `${smallest.slice(0, MOST_SHOWN)}... (${smallest.length})` : smallest;
  throw new Error(
    `Seed ${result.seed}, path ${result.counterexamplePath ?? 'none'}, case ${ran}, made smaller ${result.numShrinks} times. ` +
      `The smallest case: ${shown}\n${String(result.errorInstance)}`,
    { cause: result.errorInstance },
  );
}
