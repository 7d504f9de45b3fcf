import { z } from 'zod';
import { isServiceAddress } from './addresses.ts';
import { isGatewayKey } from './model/model.ts';
import { reportOfNote } from './model/note.ts';
import { isStoryId, MAX_ID, MAX_STORY_ID } from './model/record.ts';
import { LONGEST_RULE_NAME, LONGEST_RULE_QUERY, SEARCH_MARKS, SEARCH_KINDS, WINDOWS } from './model/search.ts';
import { REPORT_KINDS, isReportLabel } from './model/report.ts';
import { MODEL_LISTS, RESOURCES } from './model/resource.ts';
import { SETTING_NAMES, SETTINGS, type Settings, type Shape } from './settings.ts';

/** Every text, number and list is bounded, which a test checks for each method. */

/** SQLite, JSON and JavaScript agree on integers up to here. */
const MAX_NUMBER = 1e15;
/** The range of Date, in ms since 1970. */
const LATEST = 8.64e15;
const MAX_QUERY = 1000;

const distinct = <const Names extends readonly string[]>(names: Names, message: string) =>
  z
    .array(z.enum(names))
    .min(1)
    .max(names.length)
    .refine((some) => new Set(some).size === some.length, message);

export const rowId = z.int().min(1).max(MAX_NUMBER);
export const futureTime = z.int().min(0).max(LATEST);
export const resources = distinct(RESOURCES, 'must not name a resource twice');

/** Also a number in a sequence of changes. */
export const place = z.int().min(0).max(MAX_NUMBER);

export const itemId = z.string().min(1).max(MAX_ID);
export const address = z
  .string()
  .max(2048)
  .refine(isServiceAddress, 'must be an http or https address without user name, query or fragment');

export const sourceName = z.string().trim().min(1).max(2000);
export const ruleId = z
  .string()
  .max(36)
  .regex(/^[0-9a-zA-Z-]+$/);

export const deviceId = z
  .string()
  .length(16)
  .regex(/^[0-9a-f]+$/);

export const ruleName = z.string().trim().min(1).max(LONGEST_RULE_NAME);
export const searchMark = z.enum(SEARCH_MARKS).nullable();
export const ruleQuery = z.string().trim().min(1).max(LONGEST_RULE_QUERY);

export const itemsQuery = z.strictObject({
  scope: z.enum(['selected', 'all']),
  window: z.enum(WINDOWS),
  state: z.enum(['any', 'unread', 'starred']),
  category: z.string().min(1).max(200).exactOptional(),
  source: sourceName.exactOptional(),
  /** A saved search; an unknown one shows nothing. */
  saved: ruleId.exactOptional(),
  /** Only hidden items, which otherwise are only in lists of starred items. */
  muted: z.literal(true).exactOptional(),
  /** One row per story. Ignored with a state, a source or a text: those lists show every match. */
  foldStories: z.literal(true).exactOptional(),
  text: z.string().max(MAX_QUERY).exactOptional(),
});

export const feedLinks = z.strictObject({ self: address, home: address, icon: address });

export const search = z.strictObject({
  text: z.string().max(MAX_QUERY),
  in: distinct(SEARCH_KINDS, 'must not name a kind twice').exactOptional(),
  limit: z.int().min(1).max(500),
  since: futureTime.exactOptional(),
});
export const searchSuggestions = z.strictObject({
  text: z.string().max(MAX_QUERY),
  at: z.int().min(0).max(MAX_QUERY),
});

const wallClock = z
  .string()
  .max(5)
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time, HH:MM');

/** Keeps the messages of a nullable shape, which a union would hide. */
export function guardOfShape(shape: Shape): z.ZodType {
  switch (shape.is) {
    case 'toggle':
      return z.boolean();
    case 'time':
      return wallClock;
    case 'address':
      return address;
    case 'none':
      return z.null();
    case 'choice':
      return z.literal(shape.options);
    case 'number':
      return z.int().min(shape.min).max(shape.max);
    case 'list':
      return z.array(z.string().min(1).max(shape.maxLength)).min(shape.min).max(shape.max);
    case 'record':
      return z
        .record(z.string().min(1).max(shape.maxName), z.string().max(shape.maxLength))
        .refine((texts) => Object.keys(texts).length <= shape.max, `must have at most ${shape.max} entries`);
    case 'group':
      return z.strictObject(
        Object.fromEntries(Object.entries(shape.members).map(([name, one]) => [name, guardOfShape(one)])),
      );
    case 'either': {
      const guards = shape.shapes.filter(({ is }) => is !== 'none').map(guardOfShape);
      const [guard, ...others] = guards;
      const either = guard && others.length === 0 ? guard : z.union(guards);
      return guards.length < shape.shapes.length ? either.nullable() : either;
    }
  }
}

export const settingsPatch = z.strictObject(
  Object.fromEntries(SETTING_NAMES.map((name) => [name, z.exactOptional(guardOfShape(SETTINGS[name].shape))])),
) as unknown as z.ZodType<Partial<Settings>>;

/** Returns null if this version doesn't know the setting or its value. */
export function readSetting(name: string, value: unknown): Partial<Settings> | null {
  const { success, data } = settingsPatch.safeParse({ [name]: value });
  return success ? data : null;
}

export const storyId = z
  .string()
  .min(1)
  .max(2 * MAX_STORY_ID)
  .refine(isStoryId, `must have at most ${MAX_STORY_ID} characters`);

const reportLabel = z
  .string()
  .max(10)
  .refine((label) => REPORT_KINDS.some((kind) => isReportLabel(kind, label)), 'must be a date, an ISO week or a month');

export const report = z.strictObject({ kind: z.enum(REPORT_KINDS), label: reportLabel });

export const reportLabels = (most: number) => z.array(reportLabel).min(1).max(most);

export const month = z
  .string()
  .max(7)
  .refine((label) => isReportLabel('monthly', label), 'must be a month, YYYY-MM');

export const time = z
  .string()
  .max(40)
  .refine((text) => !Number.isNaN(Date.parse(text)), 'must be a time');

/** Document 1 section 4.1. `q` has 2 to 200 code points after trimming. */
export const onlineSearch = z.strictObject({
  mode: z.enum(['selected', 'all']),
  window: z.enum(['24h', '7d']),
  by: z.enum(['timeline', 'published']),
  category: z.string().min(1).max(200).exactOptional(),
  q: z.string().max(1000).exactOptional(),
});

export const modelList = z.enum(MODEL_LISTS);
export const modelId = z.string().min(1).max(MAX_ID);
const tokens = z.int().min(0).max(1_000_000_000);

export const workload = z.strictObject({
  id: rowId.exactOptional(),
  name: z.string().trim().min(1).max(80),
  tokensIn: tokens,
  tokensOut: tokens,
  tokensCached: tokens,
  requestsAMonth: tokens,
});

export const key = z.string().max(512).refine(isGatewayKey, 'must be 1 to 512 letters, digits or signs without spaces');

export const fileName = z
  .string()
  .max(120)
  .regex(/^(?!\.{1,2}$)[^/\\\p{Cc}]+$/u, 'must be a file name');

export const windowTarget = z.discriminatedUnion('view', [
  z.strictObject({ view: z.literal('story'), publicId: storyId }),
  report.extend({ view: z.literal('report') }),
]);

/** As in user.db: the address, or `demo`. */
export const serviceName = z.string().min(1).max(2048);

export function noteKey<Shape extends z.ZodRawShape>(shape: Shape) {
  const reportId = z
    .string()
    .max(20)
    .refine((id) => reportOfNote(id) !== null, 'must be like daily/2026-11-20');
  return z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('item'), id: itemId, ...shape }),
    z.strictObject({ kind: z.literal('story'), id: storyId, ...shape }),
    z.strictObject({ kind: z.literal('report'), id: reportId, ...shape }),
  ]);
}
