import type { Database, Statement } from 'better-sqlite3';
import type { ResourceName } from '../../contract/model/resource.ts';

const reports = (kind: string): string =>
  `SELECT count(*) FROM main.report WHERE kind = '${kind}' AND body IS NOT NULL`;

/** `FetchLog.nameGateway` writes the property `gateway`. */
const listed = (modelList: string): string =>
  `SELECT count FROM models.model_list WHERE model_list = '${modelList}'
   AND owner = (SELECT value FROM main.property WHERE name = 'gateway')`;

/** Resources with few enough rows to count. Items have counters. */
const COUNTED: Readonly<Record<string, string>> = {
  hotTopics: 'SELECT count(*) FROM main.hot_topic',
  stories: 'SELECT count(*) FROM main.story WHERE body IS NOT NULL',
  dailies: reports('daily'),
  weeklies: reports('weekly'),
  monthlies: reports('monthly'),
  models: listed('models'),
  embeddings: listed('embeddings'),
};

/** Counts the saved records of a resource. Every status event does: statements are prepared once. */
export class RowCounts {
  readonly #database: Database;
  readonly #statements = new Map<ResourceName, Statement<[], number>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Null for a resource that is not counted here. */
  of(resource: ResourceName): number | null {
    const sql = COUNTED[resource];
    if (sql === undefined) return null;
    let statement = this.#statements.get(resource);
    if (!statement) this.#statements.set(resource, (statement = this.#database.prepare<[], number>(sql).pluck()));
    return statement.get() ?? 0;
  }
}
