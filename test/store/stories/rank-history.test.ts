import { expect, it } from 'vitest';
import { rankHistoryOf } from '../../../src-main/store/stories/rankings.ts';
import { seededRandom } from '../search/search-items.ts';

const HOUR = 3_600_000;
const at = (index: number): string => new Date(index * HOUR).toISOString();

/** The plain definition: looks at every ranking, with null where the topic was not ranked. */
function naive(ranks: readonly (number | null)[]) {
  const first = ranks.findIndex((rank) => rank !== null);
  const seen = ranks.slice(first).map((rank, place) => ({ index: first + place, rank }));
  const ranked = seen.flatMap(({ index, rank }) => (rank === null ? [] : [{ index, rank }]));
  const best = Math.min(...ranked.map(({ rank }) => rank));
  const peak = ranked.find(({ rank }) => rank === best);
  const turns = seen.filter(({ rank }, n) => seen[n - 1]?.rank !== rank || seen[n + 1]?.rank !== rank);
  const [previous, current] = [ranks.at(-2) ?? null, ranks.at(-1) ?? null];
  return {
    history: {
      firstSeenAt: at(first),
      peak: { rank: best, at: at(peak?.index ?? 0) },
      reentries: seen.filter(({ rank }, n) => n > 0 && rank !== null && seen[n - 1]?.rank === null).length,
      points: turns.map(({ index, rank }) => ({ at: at(index), rank })),
    },
    moved: previous === null || current === null ? null : previous - current,
  };
}

it('agrees with its plain definition for 2,000 random histories', () => {
  const next = seededRandom(7);
  const random = (below: number): number => Math.floor(next() * below);
  for (let n = 0; n < 2_000; n += 1) {
    const ranks = Array.from({ length: random(12) }, () => (random(3) === 0 ? null : 1 + random(3)));
    ranks.push(1 + random(3));
    const sightings = ranks.flatMap((rank, index) => (rank === null ? [] : [{ index, rank }]));
    expect(rankHistoryOf(sightings, (index) => index * HOUR)).toEqual(naive(ranks));
  }
});
