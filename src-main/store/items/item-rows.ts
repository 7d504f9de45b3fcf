import { timeOf } from './time-key.ts';
import { readable } from '../database/stored-json.ts';
import { THIS_SERVICE } from '../database/properties.ts';
import { asTime } from '../../common/time.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Item, ItemRow, StoredItem } from '../../contract/model/item.ts';
import type { Json, MentionedModel } from '../../contract/model/model.ts';
import { mentionedModels } from '../models/mentions.ts';
import { row, sql, type Db } from '../sql.ts';
import { READ_AT, STARRED_AT, STATUS_JOIN } from '../statuses/status-sql.ts';

export const SERVICE_COLUMNS = [
  'title',
  'original_title',
  'summary',
  'source_name',
  'link_original',
  'link_aihot',
  'published_at',
  'discovered_at',
  'category',
  'score',
  'selected',
  'reason',
  'attribution',
  'unknown',
] as const satisfies readonly (keyof ServiceColumns)[];

export interface ServiceColumns {
  title: string;
  original_title: string | null;
  summary: string | null;
  source_name: string | null;
  link_original: string | null;
  link_aihot: string | null;
  published_at: string | null;
  discovered_at: string | null;
  category: string | null;
  score: number | null;
  selected: number | null;
  reason: string | null;
  attribution: string | null;
  /** JSON of unknown fields: {extra, source, links}. */
  unknown: string | null;
}

export const STARTED_AT = `(SELECT started.value FROM user.record AS started
  WHERE started.service = ${THIS_SERVICE} AND started.kind = 'start' AND started.id = 'first')`;

export const ITEM_COLUMNS = `item.key, item.id, ${SERVICE_COLUMNS.map((name) => `item.${name}`).join(', ')}, item.revised_at,
  item_index.generation, ${STARRED_AT} AS starred_at,
  CASE WHEN item_index.unread = 0 AND read.value IS NULL THEN ${STARTED_AT} ELSE ${READ_AT} END AS read_at,
  (SELECT at FROM departure WHERE departure.id = item.id) AS left_at`;

export interface ItemRecord extends ServiceColumns {
  key: number;
  id: string;
  revised_at: number | null;
  generation: number;
  read_at: number | null;
  starred_at: number | null;
  left_at: number | null;
}

const RECORD = sql`SELECT ${ITEM_COLUMNS} FROM item JOIN item_index USING (key) ${STATUS_JOIN} WHERE item.id = ?`;

export function findRecord(db: Db, id: string): ItemRecord {
  const record = row<ItemRecord>(db, RECORD, id);
  if (record) return record;
  throw new BroadsheetError(
    'not_found',
    'This item is not saved: it was withdrawn, it left Picks and is older than the seven days that the news service lists, or it was never downloaded.',
  );
}

type Unknown = Record<string, Json>;

export function toColumns(item: Item): ServiceColumns {
  const { source, links } = item;
  return {
    title: item.title,
    original_title: item.originalTitle,
    summary: item.summary,
    source_name: source.name,
    link_original: links.original,
    link_aihot: links.aihot,
    published_at: item.publishedAt,
    discovered_at: item.discoveredAt,
    category: item.category,
    score: item.score,
    selected: item.selected === null ? null : Number(item.selected),
    reason: item.reason,
    attribution: item.attribution && JSON.stringify(item.attribution),
    unknown: unknownAsJson(item),
  };
}

export function fromRecord(row: ItemRecord, models: MentionedModel[]): StoredItem {
  const unknown = (row.unknown === null ? {} : JSON.parse(row.unknown)) as Record<string, Unknown>;
  return {
    id: row.id,
    effectiveAt: asTime(timeOf(row.key)) ?? '',
    title: row.title,
    originalTitle: row.original_title,
    summary: row.summary,
    source: { ...unknown['source'], name: row.source_name },
    links: {
      ...unknown['links'],
      original: row.link_original,
      aihot: row.link_aihot,
    },
    publishedAt: row.published_at,
    discoveredAt: row.discovered_at,
    category: row.category,
    score: row.score,
    selected: row.selected === null ? null : row.selected === 1,
    reason: row.reason,
    attribution: row.attribution === null ? null : (JSON.parse(row.attribution) as Item['attribution']),
    extra: unknown['extra'] ?? {},
    inSelectedSet: row.generation > 0,
    leftSelectionAt: asTime(row.left_at),
    withdrawnAt: null,
    revisedAt: asTime(row.revised_at),
    state: { readAt: asTime(row.read_at), starredAt: asTime(row.starred_at) },
    models,
  };
}

export function toItemRows(db: Db, records: readonly ItemRecord[]): ItemRow[] {
  const models = mentionedModels(
    db,
    records.map(({ key }) => key),
  );
  return readable(db, records, (record) => ({
    ...fromRecord(record, models.get(record.key) ?? []),
    snippets: [],
  }));
}

/** Creates no objects for most items. */
function unknownAsJson(item: Item): string | null {
  const extra = membersBut(item.extra, NONE);
  const source = membersBut(item.source, SOURCE_MEMBERS);
  const links = membersBut(item.links, LINK_MEMBERS);
  if (!extra && !source && !links) return null;
  return JSON.stringify({ ...(extra && { extra }), ...(source && { source }), ...(links && { links }) });
}

const NONE: ReadonlySet<string> = new Set();
const SOURCE_MEMBERS: ReadonlySet<string> = new Set(['name']);
const LINK_MEMBERS: ReadonlySet<string> = new Set(['original', 'aihot']);

function membersBut(members: Unknown, known: ReadonlySet<string>): Unknown | null {
  for (const name in members) {
    if (!known.has(name)) return Object.fromEntries(Object.entries(members).filter(([other]) => !known.has(other)));
  }
  return null;
}
