import { z } from 'zod';
import { countOf } from '../../common/numbers.ts';
import { instant } from '../../common/time.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { itemId } from '../../contract/guards.ts';
import { REPORT_KINDS, type ReportLine } from '../../contract/model/report.ts';
import type { StoryLine } from '../../contract/model/story.ts';
import type { Call } from '../../contract/wire.ts';
import {
  idText,
  itemLines,
  lineOf,
  linkOf,
  MAX_LENGTH,
  quoteItem,
  quoteWithdrawal,
  type QuotedItem,
} from '../citation.ts';
import { nullIfMissing, sinceArgument, sinceOf, summariesArgument, tool, type Answer } from '../tool.ts';
import { changeLine, quoteChange } from './models.ts';

/** The summary of an item that is read alone, in UTF-16 units. */
const MAX_WHOLE_SUMMARY = 20_000;

export const getItem = tool({
  name: 'get_item',
  title: 'Read an item',
  description:
    'One saved news item with its whole summary and its citation. Of an item that its publisher withdrew, only that fact.',
  input: z.strictObject({ id: itemId.describe('The id of an item, as search and whats_new_since give it') }),
  resource: () => 'items',
  async run({ id }, { call }): Promise<Answer> {
    const item = await call('items.get', { id }).catch(nullIfMissing);
    if (!item || item.withdrawnAt !== null) {
      const withdrawn = await withdrawalOf(call, id);
      if (withdrawn) return withdrawnAnswer(withdrawn);
      throw new BroadsheetError('not_found', 'No item with this id is saved.');
    }
    const row = quoteItem(item, MAX_WHOLE_SUMMARY);
    const more = {
      originalTitle: lineOf(item.originalTitle),
      publishedAt: lineOf(item.publishedAt, MAX_LENGTH.name),
      updatedAt: item.revisedAt,
      reason: lineOf(item.reason, MAX_LENGTH.summary),
    };
    const reason = more.reason === null ? [] : [`   Why it is recommended: ${more.reason}`];
    return {
      intro: 'One item.',
      facts: {},
      quoted: { item: { ...row, ...more } },
      lines: [...itemLines('-', row, row.summary), ...reason],
    };
  },
});

/** Returns an item or the fact of its withdrawal; null if neither is saved. */
export async function itemInShort(call: Call, id: string): Promise<QuotedItem | null> {
  const item = await call('items.get', { id }).catch(nullIfMissing);
  return item ? quoteItem(item) : withdrawalOf(call, id);
}

async function withdrawalOf(call: Call, id: string): Promise<QuotedItem | null> {
  const { withdrawnAt } = await call('items.withdrawal', { id });
  return withdrawnAt === null ? null : quoteWithdrawal(id, withdrawnAt);
}

function withdrawnAnswer(item: QuotedItem): Answer {
  return {
    intro: 'This item was withdrawn by its publisher. Its content was deleted.',
    facts: {},
    quoted: { item: { ...item, originalTitle: null, publishedAt: null, updatedAt: null, reason: null } },
    lines: itemLines('-', item, null),
  };
}

const MAX_OTHERS = 10;
const MAX_REFRESHES = 50;

interface Other {
  id: string;
  title: string | null;
  time: string | null;
}

export const whatsNewSince = tool({
  name: 'whats_new_since',
  title: 'What is new since a time',
  description:
    'News items since a day or time, newest first, with citations; on the first page also the reports, stories and model ' +
    'changes since then. Items that the reader has muted are left out.',
  input: z.strictObject({
    since: sinceArgument.default('24h'),
    selected: z.boolean().default(false).describe('Only items that the news service recommends'),
    summaries: summariesArgument,
    limit: z.int().min(1).max(50).default(20).describe('How many items at most'),
    cursor: z.string().max(200).optional().describe('nextCursor of the page before, with the same other arguments'),
  }),
  resource: () => 'items',
  async run({ since, selected, summaries, limit, cursor }, { call, now }): Promise<Answer> {
    const from = sinceOf(since, now);
    const query = { scope: selected ? 'selected' : 'all', window: 'any', state: 'any' } as const;
    const page = await call('items.page', { query, limit, ...(cursor !== undefined && { cursor }) });
    const rows = page.rows.filter(({ effectiveAt }) => (instant(effectiveAt) ?? 0) >= from);
    const items = rows.map((row) => (summaries ? quoteItem(row) : { ...quoteItem(row), summary: null }));
    // Newest first: after a row that is too old, all are older.
    const nextCursor = rows.length === page.rows.length ? page.next : null;
    const others = cursor === undefined ? await othersSince(call, from) : NOTHING;
    const { reports, stories, changes, modelChangeCount } = others;
    const text = new Date(from).toISOString();
    const next = nextCursor === null ? '' : ` Next page: cursor ${nextCursor}.`;
    return {
      intro: `Since ${text}: ${countOf(items.length, 'item')} on this page.${next}`,
      facts: { since: text, nextCursor, modelChangeCount },
      quoted: { items, reports, stories, modelChanges: changes },
      lines: [
        ...items.flatMap((item, at) => itemLines(`${at + 1}.`, item, item.summary)),
        ...section('[reports]', reports, ({ kind, id, title }) => `- ${kind} ${id}: ${title ?? ''}`),
        ...section('[stories]', stories, ({ id, title, time }) => `- ${time ?? ''} ${title ?? ''} — id: ${idText(id)}`),
        ...section('[model changes]', changes, (line) => line),
      ],
    };
  },
});

interface Others {
  reports: (Other & { kind: ReportLine['kind']; page: string | null })[];
  stories: Other[];
  changes: string[];
  modelChangeCount: number;
}
const NOTHING: Others = { reports: [], stories: [], changes: [], modelChangeCount: 0 };

async function othersSince(call: Call, from: number): Promise<Others> {
  const isNew = (time: string | null): boolean => (instant(time) ?? -Infinity) >= from;
  const reports: ReportLine[] = [];
  for (const kind of REPORT_KINDS) reports.push(...(await call('reports.index', { kind })).lines);
  const { stories } = await call('stories.list', { which: 'all' });
  const { refreshes } = await call('models.changes', { limit: MAX_REFRESHES });
  const changes = refreshes
    .filter(({ at }) => isNew(at))
    .flatMap((refresh) => refresh.changes.map((change) => changeLine(quoteChange(refresh, change))));
  return {
    reports: reports
      .filter(({ stored, generatedAt }) => stored && isNew(generatedAt))
      .slice(0, MAX_OTHERS)
      .map(reportOf),
    stories: stories
      .filter(({ latestAt, goneAt }) => goneAt === null && isNew(latestAt))
      .slice(0, MAX_OTHERS)
      .map(storyOf),
    changes: changes.slice(0, MAX_OTHERS),
    modelChangeCount: changes.length,
  };
}

function reportOf({ kind, label, headline, generatedAt, links }: ReportLine): Others['reports'][number] {
  const time = lineOf(generatedAt, MAX_LENGTH.name);
  return { kind, id: label, title: lineOf(headline), time, page: linkOf(links.aihot) };
}

function storyOf({ publicId, title, latestAt }: StoryLine): Other {
  return { id: publicId, title: lineOf(title), time: lineOf(latestAt, MAX_LENGTH.name) };
}

function section<T>(heading: string, rows: readonly T[], format: (row: T) => string): string[] {
  return rows.length === 0 ? [] : [heading, ...rows.map(format)];
}
