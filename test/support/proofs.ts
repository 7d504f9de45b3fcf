/** True if this run is `npm run proofs`, which runs long tests completely. Otherwise they run a sample. */
export const isWhole = process.env['BROADSHEET_PROOFS'] === '1';

/** The seed of all generated cases: that of `npm run proofs -- --seed N`. */
export const SEED = Number(process.env['BROADSHEET_SEED'] ?? 11);

/** All cases during proofs, otherwise the sample with these indexes (from 0). */
export function casesOf<A extends readonly unknown[]>(all: A, sample: readonly number[]): A[number][] {
  return all.filter((_case, index) => isWhole || sample.includes(index));
}
