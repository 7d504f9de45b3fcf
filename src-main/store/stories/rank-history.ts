import type { RankHistory } from '../../contract/model/hot-topic.ts';
import { asTime } from '../../common/timestamp.ts';

/** The rank of a topic in one ranking, at ms since 1970; null if the topic was not ranked. */
export interface Sighting {
  at: number;
  rank: number | null;
}

/**
 * The rank history of a topic from rankings, oldest first. The last one is the current ranking, which must contain the
 * topic.
 */
export function rankHistoryOf(rankings: readonly Sighting[]): RankHistory {
  const seen = rankings.slice(rankings.findIndex(({ rank }) => rank !== null));
  const ranked = seen.filter((sighting): sighting is Ranked => sighting.rank !== null);
  const peak = ranked.reduce<Ranked | undefined>(
    (best, one) => (best && best.rank <= one.rank ? best : one),
    undefined,
  );
  return {
    firstSeenAt: toTime(ranked[0]?.at),
    peak: { rank: peak?.rank ?? 0, at: toTime(peak?.at) },
    reentries: seen.filter(({ rank }, index) => index > 0 && rank !== null && seen[index - 1]?.rank === null).length,
    points: seen.filter((_, index) => isTurn(seen, index)).map(({ at, rank }) => ({ at: toTime(at), rank })),
  };
}

interface Ranked extends Sighting {
  rank: number;
}

/** Points between two equal ranks add nothing to the chart. */
function isTurn(seen: readonly Sighting[], index: number): boolean {
  const [before, here, after] = [seen[index - 1], seen[index], seen[index + 1]];
  return before?.rank !== here?.rank || after?.rank !== here?.rank;
}

function toTime(ms: number | undefined): string {
  return asTime(ms ?? 0) ?? '';
}
