import type { Args as ArgsOf } from '../contract/methods.ts';
import type { UserDataFile } from '../contract/user-data.ts';
import type { Locale } from '../common/i18n/locale.ts';
import { BroadsheetError } from '../contract/errors.ts';
import type { ReportKind, StoredReport } from '../contract/model/report.ts';
import type { Queries } from '../store/index.ts';
import { stableId } from './stable-id.ts';
import { readToday } from './today.ts';
import { formatUserData } from '../sync/engine/methods/user-data-file.ts';

/** What files say besides what is saved: the name of the news service, and the language. */
interface Exporting {
  service: string;
  locale: Locale;
  now: number;
}

/**
 * Reads that can take longer than the millisecond for which the main loop may be held up. They run on a connection of
 * their own in another thread if the host has one, so arguments and results are plain data. `now` is ms since 1970.
 */
export const LONG_READS = {
  page: ({ items }: Queries, { query, cursor, limit, now }: ArgsOf<'items.page'> & { now: number }) =>
    items.page(query, cursor, limit, now),
  places: ({ items }: Queries, { query, below, limit, now }: ArgsOf<'items.places'> & { now: number }) =>
    items.places(query, below, limit, now),
  rows: ({ items }: Queries, { query, places, ids, now }: ArgsOf<'items.rows'> & { now: number }) => ({
    rows: items.rows(query, places, now, ids),
  }),
  /** A part of a list as text. The renderers are loaded on first use. */
  exportItems: async (
    { items }: Queries,
    { query, cursor, limit, format, now, service, locale }: ArgsOf<'items.export'> & Exporting,
  ) => {
    const page = items.page(query, cursor, limit, now);
    const { itemsPart } = await import('../render/item-files.ts');
    return itemsPart(page, format, { locale, service, idOf: stableId });
  },
  feedReports: async ({ reports }: Queries, { kind, labels, service, locale }: ArgsOf<'reports.feed'> & Exporting) => {
    const { reportEntries } = await import('../render/report-files.ts');
    return reportEntries(savedReports(reports, kind, labels), labels.length, { locale, service, idOf: stableId });
  },
  book: async ({ reports }: Queries, { kind, labels, month, service, locale }: ArgsOf<'reports.book'> & Exporting) => {
    const { reportBook } = await import('../render/report-files.ts');
    const reads = labels.map((label) => () => reports.get(kind, label));
    const { bytes, ...file } = reportBook(reads, { kind, month }, { locale, service, idOf: stableId });
    return { ...file, base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') };
  },
  count: ({ items }: Queries, { query, now }: ArgsOf<'items.count'> & { now: number }) => items.count(query, now),
  search: ({ search }: Queries, args: ArgsOf<'search.find'> & { now: number; owner: string }) => search.find(args),
  /** What the first search of this connection would read and compile; nobody waits for it. */
  prepareSearch: ({ search }: Queries, args: ArgsOf<'search.find'> & { now: number; owner: string }) =>
    search.prepare(args),
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
export type LongReadResult<Name extends LongReadName> = Awaited<ReturnType<Read<Name>>>;

/** Runs a long read. Errors: those of the query. */
export type LongRead = <Name extends LongReadName>(
  name: Name,
  args: LongReadArgs<Name>,
) => Promise<LongReadResult<Name>>;

/** Runs long reads on a connection of this thread. */
export function readHere(queries: Queries): LongRead {
  return (name, args) => {
    const read = LONG_READS[name] as (queries: Queries, args: unknown) => unknown;
    // A failure rejects.
    return new Promise<unknown>((resolve) => {
      resolve(read(queries, args));
    }) as Promise<never>;
  };
}

/** Those that are saved, in this order. */
function savedReports(reports: Queries['reports'], kind: ReportKind, labels: readonly string[]): StoredReport[] {
  return labels.flatMap((label) => {
    try {
      return [reports.get(kind, label)];
    } catch (error) {
      if (error instanceof BroadsheetError && error.code === 'not_found') return [];
      throw error;
    }
  });
}
