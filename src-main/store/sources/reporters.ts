import { sourceKey } from '../../common/source-label.ts';
import { instant } from '../../common/time.ts';
import type { Coverage } from '../../contract/model/story.ts';

/** Who reported a story, as it is saved with the story. */
export interface Reporters {
  /** The key of the source whose report was the first; null if two were, or times are missing. */
  first: string | null;
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
  for (const { source, publishedAt } of reports) {
    const key = sourceKey(source.name);
    if (key === '') continue;
    earliest.set(key, Math.min(instant(publishedAt) ?? Infinity, earliest.get(key) ?? Infinity));
  }
  const all = [...earliest.keys()];
  const [one, other] = [...earliest].sort(([, a], [, b]) => a - b);
  const isFirst = one !== undefined && other !== undefined && one[1] < other[1];
  return { first: isFirst ? one[0] : null, at: isFirst ? one[1] : null, all };
}
