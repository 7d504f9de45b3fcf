import { z } from 'zod';
import { isServiceAddress } from './addresses.ts';
import type { Args, MethodName } from './api.ts';
import { BroadsheetError } from './errors.ts';
import { isGatewayKey } from './model/gateway.ts';
import { REPORT_KINDS } from './model/report.ts';
import { MODEL_LISTS, RESOURCES } from './model/resource.ts';
import { TEXT_SIZES } from './settings.ts';

const nothing = z.strictObject({});
const itemId = z.string().min(1).max(512);
const address = z
  .string()
  .max(2048)
  .refine(isServiceAddress, 'must be an http or https address without user name, query or fragment');

const itemsQuery = z.strictObject({
  scope: z.enum(['selected', 'all']),
  window: z.enum(['24h', '7d', 'any']),
  state: z.enum(['any', 'unread', 'starred']),
  category: z.string().min(1).max(200).exactOptional(),
  text: z.string().max(1000).exactOptional(),
});

const wallClock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time, HH:MM');

/** Settings by themselves, each as it may be; without defaults. */
const settings = z.strictObject({
  newsAddress: address.nullable(),
  modelsAddress: address.nullable(),
  proxy: z.union([z.enum(['system', 'none']), address as z.ZodType<`http://${string}` | `https://${string}`>]),
  polling: z.enum(['usual', 'seldom', 'byHand']),
  theme: z.enum(['system', 'light', 'dark']),
  language: z.enum(['system', 'en', 'zh-CN']),
  density: z.enum(['comfortable', 'compact']),
  font: z.enum(['serif', 'sans']),
  textSize: z.literal(TEXT_SIZES),
  timeFormat: z.enum(['system', '12h', '24h']),
  countsAsRead: z.enum(['opened', 'lingered', 'byHand']),
  singleKeys: z.boolean(),
  shortcuts: z.record(z.string().min(1).max(40), z.string().max(20)),
  notify: z.strictObject({
    daily: z.boolean(),
    weekly: z.boolean(),
    monthly: z.boolean(),
    story: z.boolean(),
    models: z.boolean(),
  }),
  quietHours: z.strictObject({ on: z.boolean(), from: wallClock, to: wallClock }),
  unreadMark: z.enum(['none', 'dot', 'number']),
  closeToTray: z.boolean().nullable(),
  startHidden: z.boolean(),
  launchAtLogin: z.boolean(),
  keepDays: z.int().min(1).max(3650).nullable(),
  updates: z.boolean(),
  modelColumns: z.array(z.string().min(1).max(60)).min(1).max(60).nullable(),
});
const optional = <T extends z.ZodRawShape>(object: z.ZodObject<T>): z.ZodType<Partial<z.infer<z.ZodObject<T>>>> => {
  const fields = Object.entries(object.shape).map(([name, field]) => [name, z.exactOptional(field as z.ZodType)]);
  return z.strictObject(Object.fromEntries(fields)) as never;
};
const settingsPatch = optional(settings);

/** At most 128 characters (document 1 section 8). */
const storyId = z
  .string()
  .min(1)
  .refine((id) => Array.from(id).length <= 128, 'must have at most 128 characters');

const report = z.strictObject({
  kind: z.enum(REPORT_KINDS),
  label: z.string().regex(/^\d{4}-(\d{2}-\d{2}|W\d{2}|\d{2})$/, 'must be a date, an ISO week or a month'),
});

const onlineSearch = z.strictObject({
  mode: z.enum(['selected', 'all']),
  window: z.enum(['24h', '7d']),
  by: z.enum(['timeline', 'published']),
  category: z.string().min(1).max(200).exactOptional(),
  q: z.string().max(1000).exactOptional(),
});

const modelList = z.enum(MODEL_LISTS);
const modelId = z.string().min(1).max(512);
const tokens = z.int().min(0).max(1_000_000_000);

const workload = z.strictObject({
  id: z.int().min(1).exactOptional(),
  name: z.string().trim().min(1).max(80),
  tokensIn: tokens,
  tokensOut: tokens,
  tokensCached: tokens,
  requestsAMonth: tokens,
});

/** Printable ASCII without spaces: nothing else can stand in an Authorization header (document 2 section 5). */
const key = z.string().refine(isGatewayKey, 'must be 1 to 512 letters, digits or signs without spaces');

/** The name of a file and no way to another folder: without separators, controls, `.` and `..`. */
const fileName = z
  .string()
  .max(120)
  .regex(/^(?!\.{1,2}$)[^/\\\p{Cc}]+$/u, 'must be a file name');

const windowTarget = z.discriminatedUnion('view', [
  z.strictObject({ view: z.literal('story'), publicId: storyId }),
  report.extend({ view: z.literal('report') }),
]);

/** One guard a method: what crosses the wire is looked at before any handler sees it. */
const GUARDS: { [M in MethodName]: z.ZodType<Args<M>> } = {
  'app.capabilities': nothing,
  'items.page': z.strictObject({
    query: itemsQuery,
    cursor: z.string().max(200).exactOptional(),
    limit: z.int().min(1).max(500),
  }),
  'items.count': z.strictObject({ query: itemsQuery }),
  'items.get': z.strictObject({ id: itemId }),
  'items.mark': z.strictObject({
    ids: z.array(itemId).min(1).max(1000),
    mark: z.enum(['read', 'unread', 'star', 'unstar']),
  }),
  'items.markAllRead': z.strictObject({ query: itemsQuery, watermark: z.int().min(0) }),
  'items.undoMark': z.strictObject({ undo: z.string().min(1).max(100) }),
  'counts.get': nothing,
  'sync.status': nothing,
  'sync.run': z.strictObject({
    urgency: z.enum(['due', 'permitted', 'now']),
    resources: z.array(z.enum(RESOURCES)).min(1).exactOptional(),
  }),
  'settings.get': nothing,
  'settings.set': z.strictObject({ patch: settingsPatch }),
  'source.test': z.strictObject({ address }),
  'source.get': nothing,
  'sync.pause': z.strictObject({ untilMs: z.int().min(0).nullable() }),
  'sync.resume': nothing,
  'sync.attend': z.strictObject({ to: z.enum(RESOURCES).nullable() }),
  'hotTopics.list': nothing,
  'stories.list': z.strictObject({ which: z.enum(['all', 'hot', 'followed', 'starred']) }),
  'stories.get': z.strictObject({ publicId: storyId }),
  'stories.open': z.strictObject({ publicId: storyId }),
  'stories.follow': z.strictObject({ publicId: storyId, follow: z.boolean() }),
  'stories.star': z.strictObject({ publicId: storyId, star: z.boolean() }),
  'reports.index': z.strictObject({ kind: z.enum(REPORT_KINDS) }),
  'reports.get': report,
  'reports.open': report,
  'reports.mark': report.extend({ read: z.boolean() }),
  'reports.markCitation': z.strictObject({ key: z.string().min(1).max(4096), read: z.boolean() }),
  'reports.render': report.extend({ format: z.enum(['md', 'html', 'json']) }),
  'visits.sinceLast': nothing,
  'visits.list': z.strictObject({ which: z.enum(['added', 'revised', 'withdrawn']) }),
  'visits.end': nothing,
  'items.revisions': z.strictObject({ id: itemId }),
  'items.searchOnline': z.strictObject({ request: onlineSearch, cursor: z.string().min(1).max(4096).exactOptional() }),
  'models.list': z.strictObject({ modelList }),
  'models.get': z.strictObject({ modelList, id: modelId }),
  'models.changes': z.strictObject({
    limit: z.int().min(1).max(1000),
    model: z.strictObject({ modelList, id: modelId }).exactOptional(),
  }),
  'models.news': z.strictObject({ id: modelId, limit: z.int().min(1).max(500) }),
  'models.favourite': z.strictObject({ id: modelId, favourite: z.boolean() }),
  'models.setAliases': z.strictObject({ id: modelId, aliases: z.array(z.string().trim().min(2).max(80)).max(20) }),
  'workloads.list': nothing,
  'workloads.save': z.strictObject({ workload }),
  'workloads.remove': z.strictObject({ id: z.int().min(1) }),
  'gateway.get': nothing,
  'gateway.test': z.strictObject({ address }),
  'gateway.setKey': z.strictObject({ key }),
  'gateway.allowKey': nothing,
  'gateway.removeKey': nothing,
  'health.get': nothing,
  'health.check': nothing,
  'guide.open': nothing,
  'page.savePdf': z.strictObject({ name: fileName }),
  'notifications.list': z.strictObject({ limit: z.int().min(1).max(500) }),
  'app.takeTarget': nothing,
  'app.openWindow': z.strictObject({ target: windowTarget }),
  'problems.report': z.strictObject({ message: z.string().max(2000), trace: z.string().max(20_000) }),
  'problems.dismiss': nothing,
  'updates.check': nothing,
  'data.export': nothing,
  'data.import': z.strictObject({ text: z.string().max(64 * 1024 * 1024) }),
  'data.backups': nothing,
  'data.backUp': nothing,
  'data.restore': z.strictObject({ name: fileName }),
  'data.rebuildMirror': nothing,
  'data.folder': nothing,
  'data.showFolder': nothing,
  'data.chooseFolder': nothing,
  'links.open': z.strictObject({ url: z.string().max(8192) }),
};

export const METHOD_NAMES = Object.keys(GUARDS) as MethodName[];

export function isMethodName(name: unknown): name is MethodName {
  return typeof name === 'string' && Object.hasOwn(GUARDS, name);
}

/** Arguments as the method wants them. Errors: `invalid_argument`, naming the argument that is wrong. */
export function checkArgs<M extends MethodName>(method: M, args: unknown): Args<M> {
  const checked = (GUARDS[method] as z.ZodType<Args<M>>).safeParse(args);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  const where = issue?.path.join('.') || 'arguments';
  throw new BroadsheetError('invalid_argument', `${method}: ${where}: ${issue?.message ?? 'not understood'}`);
}
