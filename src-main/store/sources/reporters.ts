import { sourceKey, sourceLabel } from '../../common/source-label.ts';
import { instant } from '../../common/time.ts';
import type { Coverage } from '../../contract/model/story.ts';

/** In UTF-16 units. */
const LONGEST_NAME = 300;

/** Who reported a story, as it is saved with the story. */
export interface Reporters {
  /** The key of the source whose report was the first; null if two were, or times are missing. */
  first: string | null;
  /** Its name, as rows would show it. */
  name: string | null;
  /** When that was, in ms since 1970. */
  at: number | null;
  /** The keys of all sources. */
  all: string[];
}

/**
 * Who reported a story, and who was first: the source with the earliest report, if all sources have one with a time. With one
 * source alone nobody was.
 */
export function reportersOf(reports: readonly Pick<Coverage, 'source' | 'publishedAt'>[]): Reporters {
  const earliest = new Map<string, number>();
  const names = new Map<string, string>();
  for (const { source, publishedAt } of reports) {
    const key = sourceKey(source.name);
    if (key === '') continue;
    if (!names.has(key)) names.set(key, sourceLabel(source.name, LONGEST_NAME));
    earliest.set(key, Math.min(instant(publishedAt) ?? Infinity, earliest.get(key) ?? Infinity));
  }
  const all = [...earliest.keys()];
  const [one, other] = [...earliest].sort(([, a], [, b]) => a - b);
  const isFirst = one !== undefined && other !== undefined && one[1] < other[1];
  if (!isFirst) return { first: null, name: null, at: null, all };
  return { first: one[0], name: names.get(one[0]) ?? null, at: one[1], all };
}
