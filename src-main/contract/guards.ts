import { z } from 'zod';
import { isServiceAddress } from './addresses.ts';
import type { Args, MethodName } from './api.ts';
import { BroadsheetError } from './errors.ts';
import { RESOURCES } from './model.ts';

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

const settingsPatch = z.strictObject({
  newsAddress: address.nullable().exactOptional(),
  modelsAddress: address.nullable().exactOptional(),
  theme: z.enum(['system', 'light', 'dark']).exactOptional(),
  language: z.enum(['system', 'en', 'zh-CN']).exactOptional(),
  density: z.enum(['comfortable', 'compact']).exactOptional(),
  singleKeys: z.boolean().exactOptional(),
});

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
  'sync.runs': z.strictObject({ resource: z.enum(RESOURCES), limit: z.int().min(1).max(200) }),
  'settings.get': nothing,
  'settings.set': z.strictObject({ patch: settingsPatch }),
  'source.test': z.strictObject({ address }),
  'source.get': nothing,
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
