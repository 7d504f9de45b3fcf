import { z } from 'zod';
import { BroadsheetError, type Failure } from './errors.ts';
import {
  address,
  fileName,
  futureTime,
  itemId,
  itemsQuery,
  key,
  deviceId,
  feedLinks,
  modelId,
  modelList,
  noteKey,
  month,
  onlineSearch,
  place,
  report,
  reportLabels,
  resources,
  rowId,
  ruleId,
  ruleName,
  ruleQuery,
  searchMark,
  search,
  searchSuggestions,
  serviceName,
  settingsPatch,
  sourceName,
  storyId,
  time,
  windowTarget,
  workload,
} from './guards.ts';
import { MAX_LOCATION, parseLocation } from './location.ts';
import type { Capabilities } from './model/capabilities.ts';
import type {
  Counts,
  ActionReceipt,
  ItemContext,
  ItemPlaces,
  ItemRow,
  ItemsCount,
  ItemsPage,
  StoredItem,
  OnlineResult,
  Revision,
} from './model/item.ts';
import {
  type ExportFrame,
  type ExportPart,
  FEED_FORMATS,
  ITEM_EXPORT_FORMATS,
  MOST_FILES_IN_PART,
  MOST_REPORTS_IN_BOOK,
  MOST_REPORTS_IN_PART,
  type VaultFile,
} from './model/export.ts';
import type { Gateway, KeyTrial, ModelLine, ModelRefresh, StoredModel, Workload } from './model/model.ts';
import type { HotTopics, StoredStory, StoryLine } from './model/story.ts';
import { LONGEST_PASSPHRASE, type SharedFolderStatus, SHORTEST_PASSPHRASE } from './model/devices.ts';
import { LONGEST_NOTE, MOST_NOTES, type Note, type NoteKey, type NoteLine } from './model/note.ts';
import type { NotificationTrial, StoredNotification } from './model/notification.ts';
import { REPORT_KINDS, type ReportLine, type StoredReport } from './model/report.ts';
import { ACCEPTABLE_RESOURCES, RESOURCES } from './model/resource.ts';
import type { MuteRules, SavedSearches, SearchResults, SearchSuggestion } from './model/search.ts';
import { SOURCE_SORTS, type SourceList, type SourcePage, STATISTICS_DAYS, type Statistics } from './model/source.ts';
import type { NewsSource, SyncResult, SyncStatus, GuidePage, SyncHealth } from './model/sync-status.ts';
import { type Today, type SinceLastVisit, VISIT_LISTS, type Withdrawal } from './model/today.ts';
import type { Settings } from './settings.ts';
import { STORY_LISTS } from './location.ts';
import { parseLink, type Target } from './refs.ts';
import { type Backup, type ImportResult, LONGEST_USER_DATA, type ParkedMirror } from './user-data.ts';

/** Where the body runs: on saved data (`core/reads.ts`), in the engine's thread, or with parts of the host and core. */
type Kind = 'read' | 'engine' | 'host';

interface Method<K extends Kind, Guard extends z.ZodType, Result> {
  readonly kind: K;
  readonly guard: Guard;
  readonly result?: Result;
}

type GuardOf<Given> = Given extends z.ZodType
  ? Given
  : Given extends z.ZodRawShape
    ? z.ZodObject<Given, z.core.$strict>
    : never;

const method =
  <K extends Kind>(kind: K) =>
  <const Given extends z.ZodRawShape | z.ZodType>(given: Given) => ({
    returns: <Result>(): Method<K, GuardOf<Given>, Result> => {
      const guard = given instanceof z.ZodType ? given : z.strictObject(given);
      return { kind, guard: guard as z.ZodType as GuardOf<Given> };
    },
  });

const read = method('read');
const engine = method('engine');
const host = method('host');

type Nothing = Record<string, never>;

/**
 * Any method can fail with `invalid_argument`, `closed` or `internal`; with `not_found` for what is not saved; if it
 * writes, with `disk_full`, `data_read_only` or `data_newer`; and with `not_supported` on a host that cannot do it. "The
 * news client's errors" are responses and network failures. Numbers named `...Ms` are ms since 1970; texts named `at`,
 * `since` or `...At` are RFC 3339. The page imports only types of this module, so that its bundle has no zod.
 */
const METHODS = {
  'app.capabilities': host({}).returns<Capabilities>(),

  /** Errors: `invalid_argument` for a cursor of another query. */
  'items.page': read({
    query: itemsQuery,
    cursor: z.string().max(200).exactOptional(),
    limit: z.int().min(1).max(500),
  }).returns<ItemsPage>(),
  /** Newest first. Row keys are for `items.rows`, and stay valid when the list changes. */
  'items.places': read({
    query: itemsQuery,
    below: place.exactOptional(),
    limit: z.int().min(1).max(20_000),
  }).returns<ItemPlaces>(),
  /** In the order of `places`, even if they no longer match; null if gone. `ids` finds rows whose time was corrected. */
  'items.rows': read({
    query: itemsQuery,
    places: z.array(place).min(1).max(200),
    ids: z.array(itemId).max(200).exactOptional(),
  }).returns<{ rows: (ItemRow | null)[] }>(),
  /** Newest first. Errors: `invalid_argument` for a cursor of another query. */
  'items.export': read({
    query: itemsQuery,
    format: z.enum(ITEM_EXPORT_FORMATS),
    cursor: z.string().max(200).exactOptional(),
    limit: z.int().min(1).max(200),
  }).returns<ExportPart>(),
  'items.exportFrame': read({
    query: itemsQuery,
    format: z.enum(ITEM_EXPORT_FORMATS),
    updatedAt: time.exactOptional(),
    links: feedLinks.exactOptional(),
  }).returns<ExportFrame>(),
  /** Counts results of a search up to 1,000. */
  'items.count': read({ query: itemsQuery }).returns<ItemsCount>(),
  'items.get': read({ id: itemId }).returns<StoredItem>(),
  /** Null for an item that is saved or was never known. */
  'items.withdrawal': read({ id: itemId }).returns<{ withdrawnAt: string | null }>(),
  /** Returns those that are neither saved, nor starred or noted after they were withdrawn. */
  'items.unknown': read({ ids: z.array(itemId).min(1).max(1000) }).returns<{ ids: string[] }>(),
  'items.folded': read({ query: itemsQuery, id: itemId }).returns<{ rows: ItemRow[] }>(),
  'items.context': read({ id: itemId }).returns<ItemContext>(),
  /** Accepts ids that are not saved, because a status outlives its item. `bulk` stays undoable until the next one. */
  'items.mark': engine({
    ids: z.array(itemId).min(1).max(1000),
    mark: z.enum(['read', 'unread', 'star', 'unstar']),
    bulk: z.literal(true).exactOptional(),
  }).returns<ActionReceipt>(),
  /** Marks folded items too, but none that arrived after `watermark`. */
  'items.markAllRead': engine({
    query: itemsQuery,
    watermark: place,
    above: place.exactOptional(),
    below: place.exactOptional(),
  }).returns<ActionReceipt>(),
  'items.undoMark': engine({ undo: z.string().min(1).max(100) }).returns<{ restored: number }>(),

  'counts.get': read({}).returns<Counts>(),

  'saved.list': read({}).returns<SavedSearches>(),
  /** `was` restores a removed one. Errors: `invalid_argument` for a name in use, an unusable query, and the 51st. */
  'saved.add': engine({
    name: ruleName,
    query: ruleQuery,
    notify: z.boolean().exactOptional(),
    marks: searchMark.exactOptional(),
    was: z.strictObject({ id: ruleId, position: z.int().min(0).max(1_000_000) }).exactOptional(),
  }).returns<SavedSearches & { id: string }>(),
  /** Errors: those of `saved.add`. */
  'saved.change': engine({
    id: ruleId,
    name: ruleName.exactOptional(),
    query: ruleQuery.exactOptional(),
    notify: z.boolean().exactOptional(),
    marks: searchMark.exactOptional(),
  }).returns<SavedSearches>(),
  /** Counts positions from 0; beyond the end is the end. */
  'saved.move': engine({ id: ruleId, to: z.int().min(0).max(1_000) }).returns<SavedSearches>(),
  'saved.remove': engine({ id: ruleId }).returns<SavedSearches>(),

  'mutes.list': read({}).returns<MuteRules>(),
  /** Errors: `invalid_argument` for an unusable query and the 501st. */
  'mutes.add': engine({ query: ruleQuery, was: ruleId.exactOptional() }).returns<
    MuteRules & { id: string; added: boolean }
  >(),
  'mutes.remove': engine({ id: ruleId }).returns<MuteRules>(),

  /** `limit` is per kind, `since` in ms since 1970. An empty `text` only prepares the next search. */
  'search.find': read(search).returns<SearchResults>(),
  /** `at` is in UTF-16 units. */
  'search.suggest': read(searchSuggestions).returns<{ suggestions: SearchSuggestion[] }>(),

  'sync.status': engine({}).returns<SyncStatus>(),
  /** `due` follows the schedule, `permitted` cache lifetimes, `now` only Retry-After. Failures are in the result. */
  'sync.run': engine({
    urgency: z.enum(['due', 'permitted', 'now', 'all']),
    resources: resources.exactOptional(),
  }).returns<SyncResult>(),

  'settings.get': host({}).returns<Settings>(),
  'settings.set': host({ patch: settingsPatch }).returns<Settings>(),
  'source.test': engine({ address }).returns<{ items: number }>(),
  'source.get': host({}).returns<NewsSource>(),

  'notifications.list': read({ limit: z.int().min(1).max(500) }).returns<{ notifications: StoredNotification[] }>(),
  'notifications.test': host({}).returns<NotificationTrial>(),

  /** Returns and clears the view that a deep link, a notification or the tray requested. */
  'app.takeTarget': host({}).returns<{ target: Target | null }>(),
  'app.lastPlace': host({}).returns<{ place: string | null; savedAt: string | null }>(),
  'app.savePlace': host({
    place: z
      .string()
      .max(MAX_LOCATION)
      .refine((text) => parseLocation(text) !== null, 'must be a location'),
  }).returns<Nothing>(),
  'app.painted': host({}).returns<Nothing>(),
  'app.openWindow': host({ target: windowTarget }).returns<Nothing>(),
  /** Brings the window of the app to the front, for another command. */
  'app.show': host({
    link: z
      .string()
      .max(2048)
      .refine((text) => parseLink(text) !== null, 'must be a broadsheet: link')
      .exactOptional(),
  }).returns<Nothing>(),
  'problems.report': host({ message: z.string().max(2000), trace: z.string().max(20_000) }).returns<Nothing>(),
  'problems.dismiss': host({}).returns<Nothing>(),
  /** Null if this is the newest version. Errors: network failures. */
  'updates.check': host({}).returns<{ newest: string | null }>(),

  'devices.get': engine({}).returns<SharedFolderStatus>(),
  'devices.choose': host({}).returns<{ folder: string | null }>(),
  /** A null passphrase ends encryption. Errors: `invalid_argument` for an unusable folder or passphrase. */
  'devices.set': host({
    folder: z.string().min(1).max(4096),
    passphrase: z.string().min(SHORTEST_PASSPHRASE).max(LONGEST_PASSPHRASE).nullable().exactOptional(),
    settings: z.boolean().exactOptional(),
  }).returns<SharedFolderStatus>(),
  /** Forgets the keys of a passphrase. What was shared stays. */
  'devices.off': host({}).returns<SharedFolderStatus>(),
  /** Keeps what the removed device shared. Errors: `invalid_argument` for this device, `data_unreadable`. */
  'devices.remove': engine({ device: deviceId }).returns<SharedFolderStatus>(),
  'devices.compare': engine({}).returns<SharedFolderStatus>(),

  'data.export': read({}).returns<{ name: string; text: string }>(),
  'data.import': host({ text: z.string().max(LONGEST_USER_DATA) }).returns<ImportResult>(),
  'data.backups': host({}).returns<{ backups: Backup[] }>(),
  'data.backUp': host({}).returns<{ backups: Backup[] }>(),
  /** Sets the replaced user.db aside. Errors: `data_unreadable`. */
  'data.restore': host({ name: fileName }).returns<Nothing>(),
  /** `id` is the warning's `setAsideAs`, else its `file`. The file stays. */
  'data.dismissWarning': engine({ id: fileName }).returns<Nothing>(),
  /** Replaces all downloaded news. User data and the model catalogue stay. */
  'data.rebuildMirror': host({}).returns<Nothing>(),
  'data.parkedMirrors': host({}).returns<{ mirrors: ParkedMirror[] }>(),
  'data.removeParkedMirror': engine({
    id: z
      .string()
      .max(16)
      .regex(/^[0-9a-f]{16}$/),
  }).returns<{ mirrors: ParkedMirror[] }>(),
  'mcp.command': host({}).returns<{ command: string; args: string[]; found: boolean }>(),
  'data.folder': host({}).returns<{ folder: string }>(),
  'data.showFolder': host({}).returns<Nothing>(),
  /** Applies from the next start; null if canceled. Errors: `data_in_use`. */
  'data.chooseFolder': host({}).returns<{ folder: string | null }>(),

  /** Null pauses until resumed. Errors: `invalid_argument` for more than ten years ahead. */
  'sync.pause': engine({ untilMs: futureTime.nullable() }).returns<SyncStatus>(),
  'sync.resume': engine({}).returns<SyncStatus>(),
  'sync.accept': engine({ resource: z.enum(ACCEPTABLE_RESOURCES) }).returns<SyncStatus>(),
  /** Fetches the shown resource more often. Repeat at least every 20 minutes. */
  'sync.attend': engine({ to: z.enum(RESOURCES).nullable() }).returns<Nothing>(),

  'hotTopics.list': read({}).returns<HotTopics>(),

  'sources.list': read({
    sort: z.enum(SOURCE_SORTS),
    text: z.string().max(200).exactOptional(),
    offset: z.int().min(0).max(1_000_000),
    limit: z.int().min(1).max(500),
  }).returns<SourceList>(),
  'sources.get': read({ name: sourceName }).returns<SourcePage>(),
  'statistics.get': read({ days: z.literal(STATISTICS_DAYS) }).returns<Statistics>(),

  'stories.list': read({ which: z.enum(STORY_LISTS) }).returns<{ stories: StoryLine[] }>(),
  'stories.get': read({ publicId: storyId }).returns<StoredStory>(),
  /** Fetches first if the lifetime is over; marks updates as seen. Errors: the news client's if nothing is saved. */
  'stories.open': engine({ publicId: storyId }).returns<StoredStory>(),
  'stories.follow': engine({ publicId: storyId, follow: z.boolean() }).returns<Nothing>(),
  'stories.star': engine({ publicId: storyId, star: z.boolean() }).returns<Nothing>(),

  'reports.index': read({ kind: z.enum(REPORT_KINDS) }).returns<{ lines: ReportLine[] }>(),
  'reports.get': read(report).returns<StoredReport>(),
  /** Fetches first if the lifetime is over. Errors: the news client's if nothing is saved. */
  'reports.open': engine(report).returns<StoredReport>(),
  'reports.mark': engine({ ...report.shape, read: z.boolean() }).returns<Nothing>(),
  'reports.markCitations': engine({
    keys: z.array(z.string().min(1).max(4096)).min(1).max(500),
    read: z.boolean(),
  }).returns<Nothing>(),
  'reports.render': read({ ...report.shape, format: z.enum(['md', 'html', 'json']) }).returns<{
    name: string;
    mediaType: string;
    text: string;
  }>(),

  /** In the order of `labels`; counts those that are not saved. */
  'reports.feed': read({
    kind: z.enum(REPORT_KINDS),
    labels: reportLabels(MOST_REPORTS_IN_PART),
    format: z.enum(FEED_FORMATS).exactOptional(),
  }).returns<Omit<ExportPart, 'next'>>(),
  'reports.feedFrame': read({
    kind: z.enum(REPORT_KINDS),
    month: month.exactOptional(),
    format: z.enum(FEED_FORMATS).exactOptional(),
    updatedAt: time.exactOptional(),
    links: feedLinks.exactOptional(),
  }).returns<ExportFrame>(),
  /** EPUB 3, oldest first. Errors: `too_large` for more text than an e-reader opens. */
  'reports.book': read({
    kind: z.enum(REPORT_KINDS),
    labels: reportLabels(MOST_REPORTS_IN_BOOK),
    month: month.exactOptional(),
  }).returns<{ name: string; mediaType: string; base64: string }>(),

  /** Pass `service` to `notes.set`, so that a note being written doesn't land in another service. */
  'notes.get': read(noteKey({})).returns<{ note: Note | null; service: string }>(),
  'notes.keys': read({}).returns<{ keys: NoteKey[] }>(),
  'notes.list': read({ limit: z.int().min(1).max(500), offset: z.int().min(0).max(MOST_NOTES) }).returns<{
    notes: NoteLine[];
    total: number;
  }>(),
  /** Skips keys of which neither an item nor a note is left. */
  'vault.files': read({ keys: z.array(noteKey({})).min(1).max(MOST_FILES_IN_PART) }).returns<{ files: VaultFile[] }>(),
  /** White space removes the note. Errors: `invalid_argument` at the limit for notes. */
  'notes.set': engine(noteKey({ text: z.string().max(LONGEST_NOTE), service: serviceName.exactOptional() })).returns<{
    note: Note | null;
  }>(),
  'notes.remove': engine(noteKey({ service: serviceName.exactOptional() })).returns<{ removed: Note | null }>(),

  'today.get': read({}).returns<Today>(),

  'visits.sinceLast': read({}).returns<SinceLastVisit>(),
  'visits.list': read({ which: z.enum(VISIT_LISTS), scope: z.enum(['selected', 'all']).exactOptional() }).returns<{
    rows: ItemRow[];
    withdrawals: Withdrawal[];
  }>(),
  'visits.end': engine({}).returns<SinceLastVisit>(),
  /** The reader is here. `fresh` ends what `today.get` has after a holiday, or takes that back. */
  'visits.begin': engine({ fresh: z.boolean().exactOptional() }).returns<Nothing>(),
  'items.revisions': read({ id: itemId }).returns<{ revisions: Revision[] }>(),
  /** `restarted`: the cursor had expired. Errors: `rate_limited` during a Retry-After, the news client's. */
  'items.searchOnline': engine({ request: onlineSearch, cursor: z.string().min(1).max(4096).exactOptional() }).returns<{
    items: OnlineResult[];
    next: string | null;
    restarted: boolean;
  }>(),

  'models.list': read({ modelList }).returns<{ lines: ModelLine[]; fetchedAt: string | null }>(),
  'models.get': read({ modelList, id: modelId }).returns<StoredModel>(),
  'models.changes': read({
    limit: z.int().min(1).max(1000),
    model: z.strictObject({ modelList, id: modelId }).exactOptional(),
  }).returns<{ refreshes: ModelRefresh[] }>(),
  'models.news': read({ id: modelId, limit: z.int().min(1).max(500) }).returns<{ rows: ItemRow[] }>(),
  'models.favourite': engine({ id: modelId, favourite: z.boolean() }).returns<Nothing>(),
  /** Errors: `invalid_argument` for a name that belongs to another model. */
  'models.setAliases': engine({
    id: modelId,
    aliases: z.array(z.string().trim().min(2).max(80)).max(20),
  }).returns<Nothing>(),
  'workloads.list': read({}).returns<{ workloads: Workload[] }>(),
  /** Errors: `invalid_argument` for a name in use and for more than 100. */
  'workloads.save': engine({ workload }).returns<{ workloads: Workload[] }>(),
  'workloads.remove': engine({ id: rowId }).returns<{ workloads: Workload[] }>(),

  'gateway.get': host({}).returns<Gateway>(),
  /** Counts embedding models; null if the gateway requires a key. Errors: the gateway client's. */
  'gateway.test': engine({ address }).returns<{ embeddings: number | null }>(),
  /** Errors: `not_found` without a gateway, `not_supported` for the built-in one, `aborted` if either changed meanwhile. */
  'gateway.setKey': host({ key }).returns<KeyTrial>(),
  /** Allows the saved key for the current gateway. Errors: those of `gateway.setKey`. */
  'gateway.allowKey': host({}).returns<KeyTrial>(),
  'gateway.removeKey': host({}).returns<Gateway>(),

  'health.get': host({}).returns<SyncHealth>(),
  'health.check': host({}).returns<SyncHealth>(),

  /** Document 1 section 4.7. Errors: the news client's, if nothing is saved. */
  'guide.open': engine({}).returns<GuidePage>(),

  'page.savePdf': host({ name: fileName }).returns<{ saved: boolean }>(),

  /** Errors: `link_refused` unless http or https. */
  'links.open': host({ url: z.string().max(8192) }).returns<Nothing>(),
};

export type MethodName = keyof typeof METHODS;
export type Args<M extends MethodName> = z.infer<(typeof METHODS)[M]['guard']>;
export type Result<M extends MethodName> = Exclude<(typeof METHODS)[M]['result'], undefined>;

export type Reply<T> = { ok: true; value: T } | { ok: false; error: Failure };

export type MethodsOf<K extends Kind> = {
  [M in MethodName]: (typeof METHODS)[M]['kind'] extends K ? M : never;
}[MethodName];

export type Bodies<M extends MethodName> = { [Name in M]: (args: Args<Name>) => Promise<Result<Name>> | Result<Name> };

export const METHOD_NAMES = Object.keys(METHODS) as MethodName[];

export function isOfKind<K extends Kind>(name: MethodName, kind: K): name is MethodsOf<K> {
  return METHODS[name].kind === kind;
}

export function isMethodName(name: unknown): name is MethodName {
  return typeof name === 'string' && Object.hasOwn(METHODS, name);
}

export function guardOf<M extends MethodName>(method: M): z.ZodType<Args<M>> {
  return METHODS[method].guard as z.ZodType as z.ZodType<Args<M>>;
}

const MAX_QUOTE = 120;

export function checkArgs<M extends MethodName>(method: M, args: unknown): Args<M> {
  const checked = guardOf(method).safeParse(args);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  const where = cut(issue?.path.join('.') || 'arguments');
  throw new BroadsheetError('invalid_argument', `${method}: ${where}: ${cut(issue?.message ?? 'is invalid')}`);
}

/** Names of arguments come from the caller and may be of any length. */
function cut(text: string): string {
  return text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE).toWellFormed()}…` : text;
}
