import { z } from 'zod';
import type { ResourceName } from '../contract/model/resource.ts';
import type { Answer } from './answer.ts';
import type { Call } from './archive.ts';

export interface Reading {
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
  /** What the age of the data is that of. */
  resource: (args: z.infer<Input>) => ResourceName;
  read: (args: z.infer<Input>, reading: Reading) => Promise<Answer>;
}

/** A tool whose arguments are checked by `input` before it runs. */
export type Tool = ToolOf<z.ZodObject>;

/** Only `read` and `resource` know the type of their arguments, and they get what `input` has checked. */
export function tool<Input extends z.ZodObject>(definition: ToolOf<Input>): Tool {
  return definition;
}

/** How many records of a list, and from which on. */
export const pageArguments = (most: number, usual: number, farthest: number) => ({
  limit: z.int().min(1).max(most).default(usual).describe('How many at most'),
  offset: z.int().min(0).max(farthest).default(0).describe('How many to leave out: pass nextOffset for the next page'),
});

export const pageFacts = {
  total: z.number().describe('How many there are in all'),
  nextOffset: z.number().nullable().describe('Offset of the next page; null on the last one'),
};

/** One page of a list, and where the next one begins. */
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
