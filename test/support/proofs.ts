/** Whether this run is `npm run proofs`: what takes minutes is then done whole. Otherwise a sample of it is. */
export const isWhole = process.env['BROADSHEET_PROOFS'] === '1';

/** All cases where the proofs are run, else those of the sample: indexes from 0. */
export function casesOf<A extends readonly unknown[]>(all: A, sample: readonly number[]): A[number][] {
  return all.filter((_case, index) => isWhole || sample.includes(index));
}
