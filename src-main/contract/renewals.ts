import type { EventName, Events } from './events.ts';
import type { Args, MethodName, Result } from './methods.ts';
import { MAX_SOURCE_CHOICES } from './model/source.ts';

/**
 * When an event makes an answer old: always, or if the function says so. It is then read again while it is shown, else when
 * it is shown next. `nextTime` leaves what is on the page as it is.
 */
type Renewal<M extends MethodName, E extends EventName> =
  true | 'nextTime' | ((payload: Events[E], args: Args<M>, answer: Result<M>) => boolean | 'nextTime');

export type RenewalsOf<M extends MethodName> = { readonly [E in EventName]?: Renewal<M, E> } & {
  /** Read whenever it comes into view, never after an event: the core then fetches, or counts news as seen. */
  readonly shown?: true;
};

/** Sources to choose from stay where they are while the reader chooses. */
const unlessChoices = (_: unknown, { limit }: Args<'sources.list'>): true | 'nextTime' =>
  limit === MAX_SOURCE_CHOICES ? 'nextTime' : true;

const table = <T extends { readonly [M in MethodName]?: RenewalsOf<M> }>(renewals: T): T => renewals;

/**
 * The methods whose answers the page keeps, each with the events after which it is read again. `data.replaced` is after
 * all of them. A file of its own, without zod, because the page needs it at run time.
 */
export const RENEWALS = table({
  'counts.get': { 'counts.changed': true },
  'app.capabilities': {},
  'data.backups': {},
  'data.folder': {},
  'data.parkedMirrors': {},
  'gateway.get': { 'gateway.changed': true },
  'guide.open': { shown: true },
  'health.get': { 'sync.changed': true },
  'hotTopics.list': {
    'hotTopics.changed': true,
    // Topics include the availability of their stories.
    'stories.changed': true,
    'marks.changed': ({ ids }, _, { topics }) => ids === null || topics.some(({ id }) => ids.includes(id)),
  },
  'items.context': {
    'items.changed': true,
    'stories.changed': true,
    'hotTopics.changed': true,
    'marks.changed': ({ ids }, _, { sameSource }) => ids === null || sameSource.some(({ id }) => ids.includes(id)),
  },
  'items.count': { 'items.changed': true, 'marks.changed': true, 'rules.changed': true },
  'items.get': {
    'items.changed': ({ ids }, { id }) => ids === null || ids.includes(id),
    'marks.changed': ({ ids }, { id }) => ids === null || ids.includes(id),
  },
  'items.withdrawal': { 'items.changed': ({ ids }, { id }) => ids === null || ids.includes(id) },
  'items.revisions': { 'items.changed': ({ ids }, { id }) => ids === null || ids.includes(id) },
  'devices.get': {},
  'mcp.command': {},
  'models.changes': { 'models.changed': true, 'gateway.changed': true },
  'models.get': { 'models.changed': ({ modelLists }, { modelList }) => modelLists.includes(modelList) },
  'models.list': {
    'models.changed': ({ modelLists }, { modelList }) => modelLists.includes(modelList),
    'gateway.changed': true,
  },
  'models.news': { 'items.changed': true },
  'notifications.list': { 'notifications.changed': true },
  'reports.get': {
    'reports.changed': ({ kind, labels }, args) => kind === args.kind && labels.includes(args.label),
    // A story is read where its item is.
    'marks.changed': true,
  },
  'reports.index': { 'reports.changed': ({ kind }, args) => kind === args.kind },
  'mutes.list': { 'rules.changed': true },
  'saved.list': { 'rules.changed': true },
  'settings.get': { 'settings.changed': true },
  'notes.keys': {
    'notes.changed': ({ kind, id, noted }, _, { keys }) =>
      noted !== keys.some((key) => key.kind === kind && key.id === id),
  },
  // Titles come from items.
  'notes.list': { 'notes.changed': true, 'items.changed': true },
  'sources.get': { 'items.changed': true, 'marks.changed': true, 'rules.changed': true },
  'sources.list': { 'items.changed': unlessChoices, 'marks.changed': unlessChoices, 'rules.changed': unlessChoices },
  'stories.get': { 'stories.changed': ({ publicIds }, _, { publicId }) => publicIds.includes(publicId) },
  'stories.list': { 'stories.changed': true, 'hotTopics.changed': true },
  'stories.open': { shown: true },
  // While the engine is stopped, its failure says so.
  'sync.status': { 'sync.changed': true, 'engine.changed': true },
  // Charts that are being looked at don't change. Muted items are not counted.
  'statistics.get': {
    'items.changed': 'nextTime',
    'marks.changed': 'nextTime',
    'rules.changed': ({ progress }) => progress === null,
  },
  'today.get': {
    'items.changed': true,
    'marks.changed': true,
    'reports.changed': true,
    'hotTopics.changed': true,
    'stories.changed': true,
    'visits.changed': true,
  },
  'visits.sinceLast': { 'visits.changed': true },
  'workloads.list': { 'workloads.changed': true },
});

export type CachedMethod = keyof typeof RENEWALS;

/**
 * How long a shown answer stays as it is after an event, in ms, before it is read again: a sync sends several events, and
 * a reader can mark several items a second. One read covers them all.
 */
export const PAUSES_MS: { readonly [M in CachedMethod]?: number } = {
  'today.get': 250,
  'sources.get': 1_000,
  'sources.list': 1_000,
};
