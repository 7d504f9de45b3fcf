/** The sources of items, whose numbers the item index repeats (docs/decisions/088), and the reporters of stories. */
import { sourceKey, sourceLabel } from '../../common/source-label.ts';
import { instant } from '../../common/time.ts';
import type { Coverage } from '../../contract/model/story.ts';
import { readable } from '../database/stored-json.ts';
import { run, value, values, type Db } from '../sql.ts';
import type { Tx } from '../tx.ts';

/** In UTF-16 units. */
const MAX_NAME = 300;

export interface Reporters {
  /** The key of the source with the earliest report; null if two share that time, or fewer than two sources have times. */
  first: string | null;
  name: string | null;
  /** ms since 1970. */
  at: number | null;
  all: string[];
}

/** Adds a new source; returns 0 without a name. A source stays when its last item goes: it may return. */
export function findOrAddSource(tx: Tx, name: string | null): number {
  if (name === null) return 0;
  const known = tx.kept.sources.get(name) ?? tx.newSources.get(name);
  if (known !== undefined) return known;
  const key = sourceKey(name);
  if (key === '') return 0;
  const id = value<number>(tx.db, 'SELECT id FROM source WHERE key = ?', key) ?? addSource(tx, key, name);
  tx.newSources.set(name, id);
  return id;
}

function addSource({ db }: Tx, key: string, name: string): number {
  const added = run(db, 'INSERT INTO source (key, name) VALUES (?, ?)', key, sourceLabel(name, MAX_NAME));
  return Number(added.lastInsertRowid);
}

export function summarizeReporters(reports: readonly Pick<Coverage, 'source' | 'publishedAt'>[]): Reporters {
  const earliest = new Map<string, number>();
  const names = new Map<string, string>();
  for (const { source, publishedAt } of reports) {
    const key = sourceKey(source.name);
    if (key === '') continue;
    if (!names.has(key)) names.set(key, sourceLabel(source.name, MAX_NAME));
    earliest.set(key, Math.min(instant(publishedAt) ?? Infinity, earliest.get(key) ?? Infinity));
  }
  const all = [...earliest.keys()];
  const timed = [...earliest].filter(([, at]) => at !== Infinity);
  const [one, other] = timed.sort(([, a], [, b]) => a - b);
  const isFirst = one !== undefined && other !== undefined && one[1] < other[1];
  if (!isFirst) return { first: null, name: null, at: null, all };
  return { first: one[0], name: names.get(one[0]) ?? null, at: one[1], all };
}

export function readReporters(db: Db): Reporters[] {
  const texts = values<string>(db, 'SELECT reporters FROM story WHERE body IS NOT NULL AND reporters IS NOT NULL');
  return readable(db, texts, (text) => JSON.parse(text) as Reporters | null).filter((one) => one !== null);
}
