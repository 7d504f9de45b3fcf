import type { Database } from 'better-sqlite3';
import type { ResourceName } from '../../contract/model/item.ts';

const editions = (kind: string): string =>
  `SELECT count(*) FROM main.edition WHERE kind = '${kind}' AND body IS NOT NULL`;

/** The property of the mirror that names the gateway is written with `StoreWriter.nameGateway`. */
const listed = (listing: string): string =>
  `SELECT count FROM catalogue.listing WHERE listing = '${listing}'
   AND owner = (SELECT value FROM main.property WHERE name = 'gateway')`;

/** What is stored of the resources whose rows are few enough to be counted. Items have kept counters. */
const COUNTED: Readonly<Record<string, string>> = {
  hotTopics: 'SELECT count(*) FROM main.hot_topic',
  stories: 'SELECT count(*) FROM main.story WHERE body IS NOT NULL',
  dailies: editions('daily'),
  weeklies: editions('weekly'),
  monthlies: editions('monthly'),
  models: listed('models'),
  embeddings: listed('embeddings'),
};

/** How many records of a resource are stored; null for one that is not counted here. */
export function countRows(database: Database, resource: ResourceName): number | null {
  const sql = COUNTED[resource];
  return sql === undefined ? null : (database.prepare<[], number>(sql).pluck().get() ?? 0);
}
