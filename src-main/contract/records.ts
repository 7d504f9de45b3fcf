/** The kinds of the reader's data. A new one is a line here and the file that uses it. Times are ms since 1970. */
import { z } from 'zod';
import { futureTime, itemId, modelId, ruleId, storyId } from './guards.ts';
import type { Json } from './model/model.ts';
import { cleanNote, LONGEST_NOTE, MOST_NOTES, noteOfHit, reportOfNote } from './model/note.ts';
import {
  LONGEST_RULE_NAME,
  LONGEST_RULE_QUERY,
  MOST_MUTE_RULES,
  MOST_SAVED_SEARCHES,
  SEARCH_MARKS,
} from './model/search.ts';

/** Told after a transaction that changed records of the kind. */
export type Effect = 'items' | 'addresses' | 'stories' | 'reports' | 'notes' | 'rules' | 'models' | 'start';

interface KindOf<V> {
  /** `service`: the id belongs to one news service. */
  scope: 'service' | 'reader';
  id: (text: string) => boolean;
  value: z.ZodType<V>;
  shared: boolean;
  exported: boolean;
  effect: Effect | null;
  /** The value after an import, which removes nothing. */
  merge: (here: V, file: V) => V;
  /** Live records of a service, for the reader and for imports. Other devices have a quota of their own. */
  limit: number;
  bytes: number;
}

type Given<V> = Pick<KindOf<V>, 'scope' | 'id' | 'value' | 'merge'> & Partial<KindOf<V>>;

function kind<V>(given: Given<V>): KindOf<V> {
  return { shared: true, exported: true, effect: null, limit: Infinity, bytes: Infinity, ...given };
}

export const LONGEST_TITLE = 300;
export const LONGEST_ADDRESS = 8192;
const LONGEST_NAME = 80;
const LONGEST_JSON = 16_384;
const MOST_REPORTS = 10_000;
const MOST_ALIASES = 10_000;
/** An export stays well below the 64 MB that an import accepts. */
const NOTES_BYTES = 24_000_000;
/** More than a person compares; the page shows all in one list. */
export const MAX_WORKLOADS = 100;

const name = z
  .string()
  .max(LONGEST_NAME)
  .refine((text) => text !== '' && text.trim() === text);
const tokens = z.int().min(0).max(1_000_000_000);
const position = z.int().min(0).max(1_000_000);

/** `t`: read at `t`; `-t`: marked as unread at `t`, so that its age doesn't make it read. */
const READ = z.int().min(-8.64e15).max(8.64e15);
/** Stars and notes keep the name of their subject, whatever becomes of it. */
const NAME = z.strictObject({
  title: z.string().max(LONGEST_TITLE),
  link: z.string().max(LONGEST_ADDRESS).nullable(),
});
export type Name = z.infer<typeof NAME>;
/** `time` is that of the item, null if it never was here. */
const STAR = NAME.extend({ at: futureTime, time: futureTime.nullable() });
/** Reports of a followed story that the reader has seen, and a hash of its digest. */
const SEEN = z.strictObject({
  at: futureTime.nullable(),
  reports: z.array(itemId).max(MOST_REPORTS),
  digest: z.string().max(200).nullable(),
});
const NOTE = NAME.extend({
  text: z
    .string()
    .max(LONGEST_NOTE)
    .refine((text) => text.trim() !== '' && cleanNote(text) === text),
  createdAt: futureTime,
  changedAt: futureTime,
});
const SAVED = z.strictObject({
  name: z
    .string()
    .max(LONGEST_RULE_NAME)
    .refine((text) => text !== '' && text.trim() === text),
  query: z.string().min(1).max(LONGEST_RULE_QUERY),
  notify: z.literal([0, 1]),
  marks: z.enum(SEARCH_MARKS).exactOptional(),
  position,
  createdAt: futureTime,
});
const MUTE = z.strictObject({ id: ruleId, createdAt: futureTime });
const ALIAS = z.strictObject({ alias: name.min(2), model: modelId, position });
const WORKLOAD = z.strictObject({
  name,
  tokensIn: tokens,
  tokensOut: tokens,
  tokensCached: tokens,
  requestsAMonth: tokens,
  createdAt: futureTime,
});
const VISIT = z.strictObject({ build: z.string().max(64), sequence: z.int().min(0), at: futureTime });
/** Also those of later versions, which are passed on. */
const SETTING = z.custom<Json>((value) => value !== undefined && JSON.stringify(value).length <= LONGEST_JSON);

const earlierTime = (here: number, file: number): number => Math.min(here, file);
const earlier = <V extends { at: number }>(here: V, file: V): V => (file.at < here.at ? file : here);
const file = <V>(_here: V, given: V): V => given;
const accepts =
  (guard: z.ZodType) =>
  (text: string): boolean =>
    guard.safeParse(text).success;
const one =
  (wanted: string) =>
  (text: string): boolean =>
    text === wanted;
const isReport = (text: string): boolean => reportOfNote(text) !== null;
const isAddress = (text: string): boolean => text !== '' && text.length <= LONGEST_ADDRESS;
const isQuery = (text: string): boolean => text !== '' && text.trim() === text && text.length <= LONGEST_RULE_QUERY;
const isName = (text: string): boolean => /^[a-z][a-zA-Z0-9]{0,63}$/.test(text);

export const KINDS = {
  read: kind({ scope: 'service', id: accepts(itemId), value: READ, effect: 'items', merge: mergeRead }),
  star: kind({ scope: 'service', id: accepts(itemId), value: STAR, effect: 'items', merge: earlier }),
  withdrawn: kind({
    scope: 'service',
    id: accepts(itemId),
    value: futureTime,
    shared: false,
    merge: earlierTime,
  }),
  address: kind({ scope: 'reader', id: isAddress, value: futureTime, effect: 'addresses', merge: earlierTime }),
  follow: kind({ scope: 'service', id: accepts(storyId), value: futureTime, effect: 'stories', merge: earlierTime }),
  story: kind({ scope: 'service', id: accepts(storyId), value: futureTime, effect: 'stories', merge: earlierTime }),
  seen: kind({
    scope: 'service',
    id: accepts(storyId),
    value: SEEN,
    shared: false,
    effect: 'stories',
    merge: mergeSeen,
  }),
  report: kind({ scope: 'service', id: isReport, value: futureTime, effect: 'reports', merge: earlierTime }),
  note: kind({
    scope: 'service',
    id: (text) => noteOfHit(text) !== null,
    value: NOTE,
    effect: 'notes',
    merge: mergeNote,
    limit: MOST_NOTES,
    bytes: NOTES_BYTES,
  }),
  saved: kind({
    scope: 'reader',
    id: accepts(ruleId),
    value: SAVED,
    effect: 'rules',
    merge: (here, given) => ({ ...given, createdAt: here.createdAt }),
    limit: MOST_SAVED_SEARCHES,
  }),
  mute: kind({
    scope: 'reader',
    id: isQuery,
    value: MUTE,
    effect: 'rules',
    merge: (here) => here,
    limit: MOST_MUTE_RULES,
  }),
  favourite: kind({ scope: 'reader', id: accepts(modelId), value: futureTime, effect: 'models', merge: earlierTime }),
  /** By the alias without case differences. */
  alias: kind({
    scope: 'reader',
    id: (text) => text !== '' && text.length <= 2 * LONGEST_NAME,
    value: ALIAS,
    shared: false,
    effect: 'models',
    merge: file,
    limit: MOST_ALIASES,
  }),
  workload: kind({
    scope: 'reader',
    id: accepts(ruleId),
    value: WORKLOAD,
    shared: false,
    effect: 'models',
    merge: (here, given) => ({ ...given, createdAt: here.createdAt }),
    limit: MAX_WORKLOADS,
  }),
  /** When the first copy of a service began: older items count as read. 0: everything started as unread. */
  start: kind({
    scope: 'service',
    id: one('first'),
    value: futureTime,
    shared: false,
    effect: 'start',
    merge: earlierTime,
  }),
  visit: kind({ scope: 'service', id: one('last'), value: VISIT, shared: false, exported: false, merge: file }),
  setting: kind({ scope: 'reader', id: isName, value: SETTING, exported: false, merge: file }),
} as const;

export type Kind = keyof typeof KINDS;
export type ValueOf<K extends Kind> = z.output<(typeof KINDS)[K]['value']>;
export const KIND_NAMES = Object.keys(KINDS) as Kind[];

export function isKind(name: string): name is Kind {
  return Object.hasOwn(KINDS, name);
}

/** A kind of a later version may be shared. */
export function isShared(name: string): boolean {
  return !isKind(name) || KINDS[name].shared;
}

/** Returns the kind as one whose values are not known, for code that treats all kinds alike. */
export function kindOf(name: Kind): KindOf<unknown> {
  return KINDS[name] as unknown as KindOf<unknown>;
}

/** Those that this version does not know yet are kept and passed on. */
const LATER_KIND = /^[a-z][a-zA-Z]{0,31}$/;
const LONGEST_LATER_VALUE = 65_536;

/** Returns equal texts for equal values. */
export function valueText(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** Returns the text of a value that another device or a file has; undefined if it means nothing here. */
export function readValue(kind: string, raw: unknown): string | null | undefined {
  if (raw === null) return null;
  const read = isKind(kind) ? kindOf(kind).value.safeParse(raw) : { success: raw !== undefined, data: raw };
  if (!read.success) return undefined;
  const text = valueText(read.data);
  return isStored(text) && (isKind(kind) || text.length <= LONGEST_LATER_VALUE) ? text : undefined;
}

export function isRecordKey({ kind, service, id }: { kind: string; service: string; id: string }): boolean {
  if (!isStored(service) || !isStored(id)) return false;
  if (!isKind(kind)) return LATER_KIND.test(kind) && id !== '' && id.length <= LONGEST_ADDRESS;
  const { scope, id: isId } = kindOf(kind);
  return (scope === 'service') === (service !== '') && isId(id);
}

/** Returns false for a text that the database would change: half of a character would become another one. */
function isStored(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Read before marked as unread, and the earlier of two times. */
function mergeRead(here: number, given: number): number {
  return here >= 0 && given >= 0 ? Math.min(here, given) : Math.max(here, given);
}

function mergeSeen(here: z.infer<typeof SEEN>, given: z.infer<typeof SEEN>): z.infer<typeof SEEN> {
  const [later, other] = (given.at ?? 0) > (here.at ?? 0) ? [given, here] : [here, given];
  return {
    at: later.at ?? other.at,
    reports: [...new Set([...here.reports, ...given.reports])].slice(0, MOST_REPORTS),
    digest: later.digest ?? other.digest,
  };
}

function mergeNote(here: z.infer<typeof NOTE>, given: z.infer<typeof NOTE>): z.infer<typeof NOTE> {
  const later = given.changedAt > here.changedAt ? given : here;
  return { ...later, createdAt: Math.min(here.createdAt, given.createdAt) };
}
