import { z } from 'zod';
import { BroadsheetError } from '../contract/errors.ts';
import type { ResourceName } from '../contract/model/resource.ts';
import type { Answer } from './answer.ts';
import type { Call } from './archive.ts';

export interface ToolContext {
  call: Call;
  /** ms since 1970. */
  now: number;
}

interface ToolOf<Input extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  /** Members of the result besides `notice`, `dataAge` and `quoted`. */
  facts: z.ZodRawShape;
  quoted: z.ZodRawShape;
  /** The resource whose age is that of the result. */
  resource: (args: z.infer<Input>) => ResourceName;
  read: (args: z.infer<Input>, reading: ToolContext) => Promise<Answer>;
}

export type Tool = ToolOf<z.ZodObject>;

/** Only `read` and `resource` know the type of their arguments, and they get what `input` has checked. */
export function tool<Input extends z.ZodObject>(definition: ToolOf<Input>): Tool {
  return definition;
}

export const pageArguments = (most: number, usual: number, farthest: number) => ({
  limit: z.int().min(1).max(most).default(usual).describe('How many at most'),
  offset: z.int().min(0).max(farthest).default(0).describe('How many to leave out: pass nextOffset for the next page'),
});

export const pageFacts = {
  total: z.number().describe('How many there are in all'),
  nextOffset: z.number().nullable().describe('Offset of the next page; null on the last one'),
};

export function pageOf<T>(
  all: readonly T[],
  { limit, offset }: { limit: number; offset: number },
): { rows: T[]; facts: { total: number; nextOffset: number | null } } {
  const end = offset + limit;
  return {
    rows: all.slice(offset, end),
    facts: { total: all.length, nextOffset: end < all.length ? end : null },
  };
}

/** `3 of 40 stories. Next page: offset 20.` */
export function pageText(
  shown: number,
  what: string,
  { total, nextOffset }: { total: number; nextOffset: number | null },
): string {
  const next = nextOffset === null ? '' : ` Next page: offset ${String(nextOffset)}.`;
  return `${String(shown)} of ${String(total)} ${what}.${next}`;
}

const SHAPE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

export const sinceArgument = z
  .string()
  .max(40)
  .regex(SHAPE, 'must be like 2026-11-20 or 2026-11-20T08:00:00Z')
  .describe('A day (2026-11-20, from 0:00 UTC) or a time with its zone (2026-11-20T08:00:00Z)');

/** Returns ms since 1970. Errors: `invalid_argument` for a day or time that does not exist. */
export function sinceOf(text: string): number {
  const ms = Date.parse(text);
  const isDay = !text.includes('T');
  // `Date` turns 2026-02-30 into a day in March.
  const exists = !Number.isNaN(ms) && (!isDay || new Date(ms).toISOString().startsWith(text));
  if (exists) return ms;
  throw new BroadsheetError('invalid_argument', 'since: there is no such day or time');
}

export function nullIfMissing(error: unknown): null {
  if (error instanceof BroadsheetError && error.code === 'not_found') return null;
  throw error;
}
