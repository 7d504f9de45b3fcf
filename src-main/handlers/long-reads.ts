import type { Api } from '../contract/api.ts';
import type { UserDataFile } from '../contract/user-data.ts';
import type { Queries } from '../store/index.ts';
import { readToday } from './today.ts';
import { formatUserData } from '../sync/engine/methods/user-data-file.ts';

type ArgsOf<M extends keyof Api> = Api[M]['args'];

/**
 * Reads that can take longer than the millisecond for which the main loop may be held up. They run on a connection of
 * their own in another thread if the host has one, so arguments and results are plain data. `now` is ms since 1970.
 */
export const LONG_READS = {
  page: ({ items }: Queries, { query, cursor, limit, now }: ArgsOf<'items.page'> & { now: number }) =>
    items.page(query, cursor, limit, now),
  places: ({ items }: Queries, { query, below, limit, now }: ArgsOf<'items.places'> & { now: number }) =>
    items.places(query, below, limit, now),
  rows: ({ items }: Queries, { query, places, now }: ArgsOf<'items.rows'> & { now: number }) => ({
    rows: items.rows(query, places, now),
  }),
  count: ({ items }: Queries, { query, now }: ArgsOf<'items.count'> & { now: number }) => items.count(query, now),
  search: ({ search }: Queries, args: ArgsOf<'search.find'> & { now: number; owner: string }) => search.find(args),
  suggest: ({ search }: Queries, { text, at }: ArgsOf<'search.suggest'>) => ({ suggestions: search.suggest(text, at) }),
  visitList: ({ visits }: Queries, { which, scope }: ArgsOf<'visits.list'>) => visits.list(which, scope),
  hotTopics: ({ rankings }: Queries) => rankings.list(),
  stories: ({ stories }: Queries, { which }: ArgsOf<'stories.list'>) => stories.list(which),
  reportIndex: ({ reports }: Queries, { kind }: ArgsOf<'reports.index'>) => reports.index(kind),
  /** Steps of one read: null until the last one. */
  sources: ({ sources }: Queries, { now, ...args }: ArgsOf<'sources.list'> & { now: number }) =>
    sources.list(args, now),
  statistics: ({ statistics }: Queries, { days, now }: ArgsOf<'statistics.get'> & { now: number }) =>
    statistics.get(days, now),
  source: ({ sources }: Queries, { name, now }: ArgsOf<'sources.get'> & { now: number }) => sources.get(name, now),
  today: (queries: Queries, args: { now: number; owner: string }) => readToday(queries, args),
  /** The text of an export file. */
  export: ({ userData }: Queries, head: Omit<UserDataFile, 'tables'>) =>
    formatUserData({ ...head, tables: userData.tables() }),
};

export type LongReadName = keyof typeof LONG_READS;
type Read<Name extends LongReadName> = (typeof LONG_READS)[Name];
export type LongReadArgs<Name extends LongReadName> = Parameters<Read<Name>>[1] extends undefined
  ? Record<string, never>
  : NonNullable<Parameters<Read<Name>>[1]>;
export type LongReadResult<Name extends LongReadName> = ReturnType<Read<Name>>;

/** Runs a long read. Errors: those of the query. */
export type LongRead = <Name extends LongReadName>(
  name: Name,
  args: LongReadArgs<Name>,
) => Promise<LongReadResult<Name>>;

/** Runs long reads on a connection of this thread. */
export function readHere(queries: Queries): LongRead {
  // Async, so that a failure rejects.
  return async (name, args) => {
    const read = LONG_READS[name] as (queries: Queries, args: unknown) => LongReadResult<typeof name>;
    return read(queries, args);
  };
}
