import { z } from 'zod';
import { BroadsheetError } from '../../contract/errors.ts';
import { itemId } from '../../contract/guards.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../archive.ts';
import { itemLines, itemSchema, quotedItem, withdrawnItem, type QuotedItem } from '../citation.ts';
import { lineOf, LONGEST } from '../texts.ts';
import { tool } from '../tool.ts';

/** Of an item that is read alone, in UTF-16 units. */
const WHOLE = 20_000;

const wholeItem = itemSchema.extend({
  originalTitle: z.string().nullable(),
  publishedAt: z.string().nullable(),
  updatedAt: z.string().nullable().describe('When a sync last found it changed'),
  reason: z.string().nullable().describe('Why the news service recommends it'),
});

export const getItem = tool({
  name: 'get_item',
  title: 'Read an item',
  description:
    'One saved news item with its whole summary and its citation. Of an item that its publisher withdrew, only that fact.',
  input: z.strictObject({ id: itemId.describe('The id of an item, as search and whats_new_since give it') }),
  facts: {},
  quoted: { item: wholeItem },
  resource: () => 'items',
  async read({ id }, { call }): Promise<Answer> {
    const item = await call('items.get', { id }).catch(nullIfMissing);
    if (!item || item.withdrawnAt !== null) return withdrawnAnswer(await withdrawalOf(call, id));
    const row = quotedItem(item, WHOLE);
    const more = {
      originalTitle: lineOf(item.originalTitle),
      publishedAt: lineOf(item.publishedAt, LONGEST.name),
      updatedAt: item.revisedAt,
      reason: lineOf(item.reason, LONGEST.summary),
    };
    const reason = more.reason === null ? [] : [`   Why it is recommended: ${more.reason}`];
    return {
      said: 'One item.',
      facts: {},
      quoted: { item: { ...row, ...more } },
      lines: [...itemLines('-', row), ...reason],
    };
  },
});

/** A saved item in short, or the fact of its withdrawal; null if neither is known. */
export async function itemInShort(call: Call, id: string): Promise<QuotedItem | null> {
  const item = await call('items.get', { id }).catch(nullIfMissing);
  if (item) return quotedItem(item);
  const { withdrawnAt } = await call('items.withdrawal', { id });
  return withdrawnAt === null ? null : withdrawnItem(id, withdrawnAt);
}

async function withdrawalOf(call: Call, id: string): Promise<QuotedItem> {
  const { withdrawnAt } = await call('items.withdrawal', { id });
  if (withdrawnAt !== null) return withdrawnItem(id, withdrawnAt);
  throw new BroadsheetError('not_found', 'No item with this id is saved.');
}

function withdrawnAnswer(item: QuotedItem): Answer {
  return {
    said: 'This item was withdrawn by its publisher. Its content was deleted.',
    facts: {},
    quoted: { item: { ...item, originalTitle: null, publishedAt: null, updatedAt: null, reason: null } },
    lines: itemLines('-', item),
  };
}

export function nullIfMissing(error: unknown): null {
  if (error instanceof BroadsheetError && error.code === 'not_found') return null;
  throw error;
}
