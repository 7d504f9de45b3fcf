import { createHash } from 'node:crypto';
import type { Locale } from '../common/i18n/locale.ts';
import type { Args, MethodsOf, Result } from '../contract/methods.ts';
import type { ItemsQuery } from '../contract/model/item.ts';
import type { Settings } from '../contract/settings.ts';
import { USER_DATA_FORMAT, USER_DATA_VERSION } from '../contract/user-data.ts';
import type { Queries } from '../store/index.ts';
import { formatUserData } from '../sync/engine/user-data-file.ts';
import { orNull } from './front-report.ts';
import { readToday } from './today.ts';

export type ReadMethod = MethodsOf<'read'>;

export interface ReadContext {
  now: number;
  owner: string;
  service: string;
  locale: Locale;
  version: string;
  settings: Settings;
}

type Read<M extends ReadMethod> = (
  queries: Queries,
  args: Args<M>,
  context: ReadContext,
) => Result<M> | Promise<Result<M>>;

/** Runs in another thread if the host has one, since it can block for over a millisecond: plain data in and out. */
interface LongRead<M extends ReadMethod> {
  long: true | ((args: Args<M>) => boolean);
  /** Tried in the calling thread, because the other one may be busy with a search. Null if that would take long. */
  first?: (queries: Queries, args: Args<M>, context: ReadContext) => Result<M> | null;
  /** Nobody waits for the reply: the thread gets it while still starting. */
  prepares?: (args: Args<M>) => boolean;
  read: Read<M>;
}

type Reads = { [M in ReadMethod]: Read<M> | LongRead<M> };

const isSearch = ({ query }: { query: ItemsQuery }): boolean => Boolean(query.text?.trim());
const isEmpty = ({ text }: { text: string }): boolean => text.trim() === '';

const READS: Reads = {
  'items.page': {
    long: isSearch,
    read: ({ items }, { query, cursor, limit }, { now }) => items.page(query, cursor, limit, now),
  },
  'items.places': {
    long: true,
    read: ({ items }, { query, below, limit }, { now }) => items.places(query, below, limit, now),
  },
  'items.rows': {
    long: isSearch,
    read: ({ items }, { query, places, ids }, { now }) => ({ rows: items.rows(query, places, now, ids) }),
  },
  'items.export': {
    long: true,
    read: async ({ items }, { query, cursor, limit, format }, { now, service, locale }) => {
      const page = items.page(query, cursor, limit, now);
      const { itemsPart } = await import('../render/item-files.ts');
      return itemsPart(page, format, { locale, service, idOf: stableId });
    },
  },
  'items.exportFrame': async ({ rules }, { query, format, updatedAt, links }, { now, service, locale, version }) => {
    const { itemsFrame } = await import('../render/item-files.ts');
    const saved = rules.savedSearches().find(({ id }) => id === query.saved)?.name ?? null;
    const by = { locale, service, idOf: stableId, version };
    return itemsFrame({ query, saved, links }, format, updatedAt ?? timeOf(now), by);
  },
  'items.count': {
    long: true,
    first: ({ items }, { query }, { now }) => {
      const isLong = query.foldStories === true && query.category !== undefined;
      return isLong ? null : items.countFromCounters(query, now);
    },
    read: ({ items }, { query }, { now }) => items.count(query, now),
  },
  'items.get': ({ items }, { id }) => items.get(id),
  'items.withdrawal': ({ items }, { id }) => ({ withdrawnAt: items.withdrawnAt(id) }),
  'items.unknown': ({ items }, { ids }) => ({ ids: ids.filter((id) => !items.isSavedOrKept(id)) }),
  'items.folded': ({ items }, { query, id }, { now }) => ({ rows: items.listFolded(query, id, now) }),
  'items.context': ({ items }, { id }) => items.context(id),
  'items.revisions': ({ items }, { id }) => ({ revisions: items.revisions(id) }),
  'counts.get': ({ items }, _, { now }) => items.counts(now),

  'saved.list': ({ rules }, _, { now }) => ({ searches: rules.savedSearches(now), progress: rules.progress() }),
  'mutes.list': ({ rules }) => ({ rules: rules.mutes(), progress: rules.progress() }),

  'search.find': {
    long: true,
    prepares: isEmpty,
    read: ({ search }, args, { now, owner }) => {
      const asked = { ...args, now, owner };
      return isEmpty(args) ? search.prepare(asked) : search.find(asked);
    },
  },
  'search.suggest': {
    long: true,
    read: ({ search }, { text, at }) => ({ suggestions: search.suggest(text, at) }),
  },

  'hotTopics.list': { long: true, read: ({ rankings }) => rankings.list() },
  'sources.list': { long: true, read: ({ sources }, args, { now }) => sources.list(args, now) },
  'sources.get': { long: true, read: ({ sources }, { name }, { now }) => sources.get(name, now) },
  'statistics.get': { long: true, read: ({ statistics }, { days }, { now }) => statistics.get(days, now) },
  'stories.list': { long: true, read: ({ stories }, { which }) => ({ stories: stories.list(which) }) },
  'stories.get': ({ stories }, { publicId }) => stories.get(publicId),

  'reports.index': { long: true, read: ({ reports }, { kind }) => ({ lines: reports.index(kind) }) },
  'reports.get': ({ reports }, { kind, label }) => reports.get(kind, label),
  'reports.render': async ({ reports }, { kind, label, format }, { locale }) => {
    const { renderReport } = await import('../render/report-files.ts');
    return renderReport(reports.get(kind, label), format, { locale });
  },
  'reports.feed': {
    long: true,
    read: async ({ reports }, { kind, labels, format }, { service, locale }) => {
      const { reportEntries } = await import('../render/report-files.ts');
      const saved = labels.flatMap((label) => orNull(() => reports.get(kind, label)) ?? []);
      return reportEntries(saved, labels.length, { locale, service, idOf: stableId }, format);
    },
  },
  'reports.feedFrame': async (_queries, { updatedAt, ...choice }, { now, service, locale, version }) => {
    const { reportFeedFrame } = await import('../render/report-files.ts');
    const by = { locale, service, idOf: stableId, version };
    return reportFeedFrame(choice, updatedAt ?? timeOf(now), by);
  },
  'reports.book': {
    long: true,
    read: async ({ reports }, { kind, labels, month }, { service, locale }) => {
      const { reportBook } = await import('../render/report-files.ts');
      const reads = labels.map((label) => () => reports.get(kind, label));
      const { bytes, ...file } = reportBook(reads, { kind, month }, { locale, service, idOf: stableId });
      return { ...file, base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') };
    },
  },

  'notes.get': ({ notes }, { kind, id }) => notes.get({ kind, id }),
  'notes.keys': ({ notes }) => ({ keys: notes.keys() }),
  'notes.list': ({ notes }, { limit, offset }) => notes.list(limit, offset),
  'vault.files': {
    long: true,
    read: async ({ items, notes }, { keys }, { service, locale }) => {
      const { vaultFile } = await import('../render/vault.ts');
      const by = { locale, service, idOf: stableId };
      const files = keys.flatMap((key) => {
        const item = key.kind === 'item' ? orNull(() => items.get(key.id)) : null;
        const note = notes.findNamed(key);
        return item || note ? [vaultFile(key, { item, note }, by)] : [];
      });
      return { files };
    },
  },

  'today.get': { long: true, read: (queries, _args, { now }) => readToday(queries, now) },
  'visits.sinceLast': ({ visits }) => visits.sinceLast(),
  'visits.list': { long: true, read: ({ visits }, { which, scope }) => visits.list(which, scope) },
  'notifications.list': ({ notifications }, { limit }) => ({ notifications: notifications.list(limit) }),

  'models.list': ({ models }, { modelList }, { owner }) => models.list(owner, modelList),
  'models.get': ({ models }, { modelList, id }, { owner }) => models.get(owner, modelList, id),
  'models.changes': ({ models }, { limit, model }, { owner }) => ({ refreshes: models.refreshes(owner, limit, model) }),
  'models.news': ({ items }, { id, limit }) => ({ rows: items.listNaming(id, limit) }),
  'workloads.list': ({ models }) => ({ workloads: models.workloads() }),

  'data.export': {
    long: true,
    read: ({ userData }, _args, { now, settings }) => {
      const exportedAt = timeOf(now);
      const head = { format: USER_DATA_FORMAT, version: USER_DATA_VERSION, exportedAt, settings } as const;
      const text = formatUserData({ ...head, records: userData.records() });
      return { name: `broadsheet-${exportedAt.slice(0, 10)}.json`, text };
    },
  },
};

export type RunRead = <M extends ReadMethod>(method: M, args: Args<M>, context: ReadContext) => Promise<Result<M>>;

export function readHere(queries: Queries): RunRead {
  return async <M extends ReadMethod>(method: M, args: Args<M>, context: ReadContext) => {
    const body: Reads[M] = READS[method];
    return typeof body === 'function' ? body(queries, args, context) : body.read(queries, args, context);
  };
}

export function isPreparation<M extends ReadMethod>(method: M, args: Args<M>): boolean {
  const body: Reads[M] = READS[method];
  return typeof body === 'object' && (body.prepares?.(args) ?? false);
}

export async function runRead<M extends ReadMethod>(
  method: M,
  args: Args<M>,
  { queries, longRead }: { readonly queries: Queries; readonly longRead: RunRead },
  context: ReadContext,
): Promise<Result<M>> {
  const body: Reads[M] = READS[method];
  if (typeof body === 'function') return body(queries, args, context);
  const known = body.first?.(queries, args, context);
  if (known) return known;
  const isLong = body.long === true || body.long(args);
  return isLong ? longRead(method, args, context) : body.read(queries, args, context);
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** Random. Never change it: feed readers would show everything again. */
const NAMESPACE = Buffer.from('5d1f4c0e9b8a4f6f8d0b7a52c3e6914d', 'hex');

/** Returns the same URN for the same parts (RFC 9562, version 5): ids outlive the file and the addresses. */
export function stableId(...parts: readonly string[]): string {
  const digest = createHash('sha1').update(NAMESPACE).update(JSON.stringify(parts)).digest().subarray(0, 16);
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const uuid = digest.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return `urn:uuid:${uuid}`;
}
