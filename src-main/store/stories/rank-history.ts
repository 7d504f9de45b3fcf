import type { RankHistory } from '../../contract/model/hot-topic.ts';
import { asTime } from '../../common/timestamp.ts';

/** The rank of a topic in a ranking; `index` counts the rankings, oldest first. */
export interface Sighting {
  index: number;
  rank: number;
}

/** What the rankings say about a topic, and how far it moved since the previous one; null if it was not ranked then. */
interface Course {
  history: RankHistory;
  moved: number | null;
}

/**
 * The rank history of a topic. The last of its sightings, oldest first, is in the current ranking. Rankings without the
 * topic have no sighting: a month has thousands of rankings, and most topics are in a few of them.
 *
 * @param timeOf when a ranking was first seen, in ms since 1970
 */
export function rankHistoryOf(sightings: readonly Sighting[], timeOf: (index: number) => number): Course {
  const toTime = (index: number): string => asTime(timeOf(index)) ?? '';
  const points: RankHistory['points'] = [];
  const add = (index: number, rank: number | null): void => void points.push({ at: toTime(index), rank });
  let peak: Sighting | undefined;
  let reentries = 0;
  for (const [place, sighting] of sightings.entries()) {
    const { index, rank } = sighting;
    const [before, after] = [sightings[place - 1], sightings[place + 1]];
    if (!peak || rank < peak.rank) peak = sighting;
    const isBack = before !== undefined && before.index < index - 1;
    if (isBack) reentries += 1;
    const isLast = after === undefined || after.index > index + 1;
    // Points between two equal ranks add nothing to the chart.
    const isTurn = isBack || isLast || before?.rank !== rank || after.rank !== rank;
    if (isTurn) add(index, rank);
    if (after === undefined || !isLast) continue;
    add(index + 1, null);
    if (after.index > index + 2) add(after.index - 1, null);
  }
  const [first, current] = [sightings[0], sightings.at(-1)];
  const previous = sightings.at(-2);
  const stayed = previous !== undefined && previous.index + 1 === current?.index;
  return {
    history: {
      firstSeenAt: toTime(first?.index ?? 0),
      peak: { rank: peak?.rank ?? 0, at: toTime(peak?.index ?? 0) },
      reentries,
      points,
    },
    moved: stayed ? previous.rank - current.rank : null,
  };
}
