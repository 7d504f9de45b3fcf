import type { Database } from 'better-sqlite3';
import type { ResourceName } from '../../contract/model/resource.ts';

const reports = (kind: string): string =>
  `SELECT count(*) FROM main.report WHERE kind = '${kind}' AND body IS NOT NULL`;

/** The property of the mirror that names the gateway is written by `FetchLog.nameGateway`. */
const listed = (modelList: string): string =>
  `SELECT count FROM models.model_list WHERE model_list = '${modelList}'
   AND owner = (SELECT value FROM main.property WHERE name = 'gateway')`;

/** What is stored of the resources whose rows are few enough to be counted. Items have kept counters. */
const COUNTED: Readonly<Record<string, string>> = {
  hotTopics: 'SELECT count(*) FROM main.hot_topic',
  stories: 'SELECT count(*) FROM main.story WHERE body IS NOT NULL',
  dailies: reports('daily'),
  weeklies: reports('weekly'),
  monthlies: reports('monthly'),
  models: listed('models'),
  embeddings: listed('embeddings'),
};

/** How many records of a resource are stored; null for one that is not counted here. */
export function countRows(database: Database, resource: ResourceName): number | null {
  const sql = COUNTED[resource];
  return sql === undefined ? null : (database.prepare<[], number>(sql).pluck().get() ?? 0);
}
