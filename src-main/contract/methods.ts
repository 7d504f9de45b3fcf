import { z } from 'zod';
import type { Api, Args, MethodName } from './api.ts';
import { BroadsheetError } from './errors.ts';
import {
  address,
  fileName,
  futureTime,
  itemId,
  itemsQuery,
  key,
  machineId,
  modelId,
  modelList,
  noteKey,
  nothing,
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
  search,
  searchSuggestions,
  sequence,
  serviceName,
  settingsPatch,
  sourceName,
  storyId,
  time,
  windowTarget,
  workload,
} from './guards.ts';
import { ITEM_EXPORT_FORMATS, MOST_REPORTS_IN_BOOK, MOST_REPORTS_IN_PART } from './model/export.ts';
import { LONGEST_PASSPHRASE, SHORTEST_PASSPHRASE } from './model/marks-folder.ts';
import { LONGEST_NOTE, MOST_NOTES } from './model/note.ts';
import { REPORT_KINDS } from './model/report.ts';
import { ACCEPTABLE_RESOURCES, RESOURCES } from './model/resource.ts';
import { SOURCE_SORTS } from './model/source.ts';
import { STATISTICS_DAYS } from './model/statistics.ts';
import { VISIT_LISTS } from './model/visit.ts';
import { LONGEST_USER_DATA } from './user-data.ts';

/** What runs a method: a handler of the core, the engine, or a handler that calls the engine. */
type AnsweredBy = 'core' | 'engine' | 'throughCore';

interface MethodRule<M extends MethodName> {
  /** Validates the arguments before the handler runs. */
  guard: z.ZodType<Args<M>>;
  answeredBy: AnsweredBy;
}

/** A method implemented in `handlers/`. */
const core = <Guard extends z.ZodType>(guard: Guard) => ({ guard, answeredBy: 'core' }) as const;
/**
 * A method implemented in `sync/engine/methods/`, because it writes or needs state of the engine. Calls are forwarded.
 */
const engine = <Guard extends z.ZodType>(guard: Guard) => ({ guard, answeredBy: 'engine' }) as const;
/** A method of the engine with a handler around it that adds what only the core has. */
const throughCore = <Guard extends z.ZodType>(guard: Guard) => ({ guard, answeredBy: 'throughCore' }) as const;

/** Every method of {@link Api}: the guard of its arguments, and what runs it. */
const METHODS = {
  'app.capabilities': core(nothing),
  'items.page': core(
    z.strictObject({
      query: itemsQuery,
      cursor: z.string().max(200).exactOptional(),
      limit: z.int().min(1).max(500),
    }),
  ),
  'items.places': core(
    z.strictObject({ query: itemsQuery, below: place.exactOptional(), limit: z.int().min(1).max(20_000) }),
  ),
  'items.rows': core(
    z.strictObject({
      query: itemsQuery,
      places: z.array(place).min(1).max(200),
      ids: z.array(itemId).max(200).exactOptional(),
    }),
  ),
  'items.count': core(z.strictObject({ query: itemsQuery })),
  'items.export': core(
    z.strictObject({
      query: itemsQuery,
      format: z.enum(ITEM_EXPORT_FORMATS),
      cursor: z.string().max(200).exactOptional(),
      limit: z.int().min(1).max(200),
    }),
  ),
  'items.exportFrame': core(
    z.strictObject({ query: itemsQuery, format: z.enum(ITEM_EXPORT_FORMATS), updatedAt: time.exactOptional() }),
  ),
  'items.get': core(z.strictObject({ id: itemId })),
  'items.withdrawal': core(z.strictObject({ id: itemId })),
  'items.folded': core(z.strictObject({ query: itemsQuery, id: itemId })),
  'items.context': core(z.strictObject({ id: itemId })),
  'items.mark': engine(
    z.strictObject({
      ids: z.array(itemId).min(1).max(1000),
      mark: z.enum(['read', 'unread', 'star', 'unstar']),
      bulk: z.literal(true).exactOptional(),
    }),
  ),
  'items.markAllRead': engine(
    z.strictObject({
      query: itemsQuery,
      watermark: sequence,
      above: place.exactOptional(),
      below: place.exactOptional(),
    }),
  ),
  'items.undoMark': engine(z.strictObject({ undo: z.string().min(1).max(100) })),
  'counts.get': core(nothing),
  'saved.list': core(nothing),
  'saved.add': engine(
    z.strictObject({
      name: ruleName,
      query: ruleQuery,
      notify: z.boolean().exactOptional(),
      was: z.strictObject({ id: ruleId, position: z.int().min(0).max(1_000_000) }).exactOptional(),
    }),
  ),
  'saved.change': engine(
    z.strictObject({
      id: ruleId,
      name: ruleName.exactOptional(),
      query: ruleQuery.exactOptional(),
      notify: z.boolean().exactOptional(),
    }),
  ),
  'saved.move': engine(z.strictObject({ id: ruleId, to: z.int().min(0).max(1_000) })),
  'saved.remove': engine(z.strictObject({ id: ruleId })),
  'mutes.list': core(nothing),
  'mutes.add': engine(z.strictObject({ query: ruleQuery, was: ruleId.exactOptional() })),
  'mutes.remove': engine(z.strictObject({ id: ruleId })),
  'search.find': core(search),
  'search.suggest': core(searchSuggestions),
  'sync.status': engine(nothing),
  'sync.run': engine(
    z.strictObject({
      urgency: z.enum(['due', 'permitted', 'now', 'all']),
      resources: resources.exactOptional(),
    }),
  ),
  'settings.get': core(nothing),
  'settings.set': core(z.strictObject({ patch: settingsPatch })),
  'source.test': engine(z.strictObject({ address })),
  'source.get': core(nothing),
  'sync.pause': engine(z.strictObject({ untilMs: futureTime.nullable() })),
  'sync.resume': engine(nothing),
  'sync.accept': engine(z.strictObject({ resource: z.enum(ACCEPTABLE_RESOURCES) })),
  'sync.attend': engine(z.strictObject({ to: z.enum(RESOURCES).nullable() })),
  'hotTopics.list': core(nothing),
  'sources.list': core(
    z.strictObject({
      sort: z.enum(SOURCE_SORTS),
      text: z.string().max(200).exactOptional(),
      offset: z.int().min(0).max(1_000_000),
      limit: z.int().min(1).max(500),
    }),
  ),
  'sources.get': core(z.strictObject({ name: sourceName })),
  'statistics.get': core(z.strictObject({ days: z.literal(STATISTICS_DAYS) })),
  'stories.list': core(z.strictObject({ which: z.enum(['all', 'hot', 'followed', 'starred']) })),
  'stories.get': core(z.strictObject({ publicId: storyId })),
  'stories.open': engine(z.strictObject({ publicId: storyId })),
  'stories.follow': engine(z.strictObject({ publicId: storyId, follow: z.boolean() })),
  'stories.star': engine(z.strictObject({ publicId: storyId, star: z.boolean() })),
  'reports.index': core(z.strictObject({ kind: z.enum(REPORT_KINDS) })),
  'reports.get': core(report),
  'reports.open': engine(report),
  'reports.mark': engine(report.extend({ read: z.boolean() })),
  'reports.markCitation': engine(z.strictObject({ key: z.string().min(1).max(4096), read: z.boolean() })),
  'reports.markCitations': engine(
    z.strictObject({ keys: z.array(z.string().min(1).max(4096)).min(1).max(500), read: z.boolean() }),
  ),
  'reports.render': core(report.extend({ format: z.enum(['md', 'html', 'json']) })),
  'reports.feed': core(z.strictObject({ kind: z.enum(REPORT_KINDS), labels: reportLabels(MOST_REPORTS_IN_PART) })),
  'reports.feedFrame': core(
    z.strictObject({ kind: z.enum(REPORT_KINDS), month: month.exactOptional(), updatedAt: time.exactOptional() }),
  ),
  'reports.book': core(
    z.strictObject({
      kind: z.enum(REPORT_KINDS),
      labels: reportLabels(MOST_REPORTS_IN_BOOK),
      month: month.exactOptional(),
    }),
  ),
  'notes.get': core(noteKey({})),
  'notes.keys': core(nothing),
  'notes.list': core(z.strictObject({ limit: z.int().min(1).max(500), offset: z.int().min(0).max(MOST_NOTES) })),
  'notes.set': engine(noteKey({ text: z.string().max(LONGEST_NOTE), service: serviceName.exactOptional() })),
  'notes.remove': engine(noteKey({ service: serviceName.exactOptional() })),
  'today.get': core(nothing),
  'visits.sinceLast': core(nothing),
  'visits.list': core(
    z.strictObject({ which: z.enum(VISIT_LISTS), scope: z.enum(['selected', 'all']).exactOptional() }),
  ),
  'visits.end': engine(nothing),
  'items.revisions': core(z.strictObject({ id: itemId })),
  'items.searchOnline': engine(
    z.strictObject({ request: onlineSearch, cursor: z.string().min(1).max(4096).exactOptional() }),
  ),
  'models.list': core(z.strictObject({ modelList })),
  'models.get': core(z.strictObject({ modelList, id: modelId })),
  'models.changes': core(
    z.strictObject({
      limit: z.int().min(1).max(1000),
      model: z.strictObject({ modelList, id: modelId }).exactOptional(),
    }),
  ),
  'models.news': core(z.strictObject({ id: modelId, limit: z.int().min(1).max(500) })),
  'models.favourite': engine(z.strictObject({ id: modelId, favourite: z.boolean() })),
  'models.setAliases': engine(
    z.strictObject({ id: modelId, aliases: z.array(z.string().trim().min(2).max(80)).max(20) }),
  ),
  'workloads.list': core(nothing),
  'workloads.save': engine(z.strictObject({ workload })),
  'workloads.remove': engine(z.strictObject({ id: rowId })),
  'gateway.get': core(nothing),
  'gateway.test': engine(z.strictObject({ address })),
  'gateway.setKey': core(z.strictObject({ key })),
  'gateway.allowKey': core(nothing),
  'gateway.removeKey': core(nothing),
  'health.get': throughCore(nothing),
  'health.check': throughCore(nothing),
  'guide.open': engine(nothing),
  'page.savePdf': core(z.strictObject({ name: fileName })),
  'notifications.list': core(z.strictObject({ limit: z.int().min(1).max(500) })),
  'notifications.test': core(nothing),
  'app.takeTarget': core(nothing),
  'app.lastPlace': core(nothing),
  'app.savePlace': core(z.strictObject({ place: z.string().max(16_000) })),
  'app.painted': core(nothing),
  'app.openWindow': core(z.strictObject({ target: windowTarget })),
  'problems.report': core(z.strictObject({ message: z.string().max(2000), trace: z.string().max(20_000) })),
  'problems.dismiss': core(nothing),
  'updates.check': core(nothing),
  'marksFolder.get': engine(nothing),
  'marksFolder.choose': core(nothing),
  'marksFolder.set': core(
    z.strictObject({
      folder: z.string().min(1).max(4096),
      passphrase: z.string().min(SHORTEST_PASSPHRASE).max(LONGEST_PASSPHRASE).nullable().exactOptional(),
      settings: z.boolean().exactOptional(),
    }),
  ),
  'marksFolder.off': throughCore(nothing),
  'marksFolder.remove': engine(z.strictObject({ machine: machineId })),
  'marksFolder.compare': engine(nothing),
  'data.export': core(nothing),
  'data.import': throughCore(z.strictObject({ text: z.string().max(LONGEST_USER_DATA) })),
  'data.backups': core(nothing),
  'data.backUp': throughCore(nothing),
  'data.restore': core(z.strictObject({ name: fileName })),
  'data.dismissWarning': engine(z.strictObject({ id: fileName })),
  'data.rebuildMirror': core(nothing),
  'data.parkedMirrors': core(nothing),
  'data.removeParkedMirror': engine(
    z.strictObject({
      id: z
        .string()
        .max(16)
        .regex(/^[0-9a-f]{16}$/),
    }),
  ),
  'mcp.command': core(nothing),
  'data.folder': core(nothing),
  'data.showFolder': core(nothing),
  'data.chooseFolder': core(nothing),
  'links.open': core(z.strictObject({ url: z.string().max(8192) })),
} satisfies { [M in MethodName]: MethodRule<M> };

type MethodsOf<By extends AnsweredBy> = {
  [M in MethodName]: (typeof METHODS)[M]['answeredBy'] extends By ? M : never;
}[MethodName];

/** Methods that the engine implements. */
export type EngineMethod = MethodsOf<'engine' | 'throughCore'>;
/** Methods that are forwarded to the engine unchanged. */
export type ForwardedMethod = MethodsOf<'engine'>;

/** Implementations of the given methods. Arguments are already validated; a thrown error becomes a {@link Failure}. */
export type Bodies<M extends MethodName> = {
  [Name in M]: (args: Api[Name]['args']) => Promise<Api[Name]['result']> | Api[Name]['result'];
};

export const METHOD_NAMES = Object.keys(METHODS) as MethodName[];

export const FORWARDED_METHODS = METHOD_NAMES.filter(
  (name): name is ForwardedMethod => METHODS[name].answeredBy === 'engine',
);

export function isMethodName(name: unknown): name is MethodName {
  return typeof name === 'string' && Object.hasOwn(METHODS, name);
}

/** The guard of a method's arguments. */
export function guardOf<M extends MethodName>(method: M): z.ZodType<Args<M>> {
  return METHODS[method].guard as z.ZodType<Args<M>>;
}

/** The most that a message quotes of an argument's name or of what is wrong with it, in UTF-16 units. */
const MOST_QUOTED = 120;

/** Validates the arguments of a method. Errors: `invalid_argument`, naming the invalid argument. */
export function checkArgs<M extends MethodName>(method: M, args: unknown): Args<M> {
  const checked = guardOf(method).safeParse(args);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  const where = cut(issue?.path.join('.') || 'arguments');
  throw new BroadsheetError('invalid_argument', `${method}: ${where}: ${cut(issue?.message ?? 'is invalid')}`);
}

/** Names of arguments are texts of a caller, and may be of any length. */
function cut(text: string): string {
  return text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED).toWellFormed()}…` : text;
}
