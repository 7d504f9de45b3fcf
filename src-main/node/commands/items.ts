import { countOf } from '../../common/numbers.ts';
import { sourceLabel } from '../../common/source-label.ts';
import { instant } from '../../common/time.ts';
import type { ItemRow, ItemsPage, ItemsQuery } from '../../contract/model/item.ts';
import { LONGEST_RULE_NAME } from '../../contract/model/search.ts';
import { choice, command, listCommand, parseText, text, type Io } from '../command.ts';
import { bold, dim, line, type Text, localTime } from '../terminal-text.ts';
import { itemAsJson } from './json-names.ts';
import { listOptions, sinceMs, type Since } from './list-options.ts';
import { searchNamed } from './rules.ts';
import { sayProblemsOf } from './search.ts';

/** For text output only; JSON output is not limited. */
const HUMAN_LIMIT = 50;
const PAGE_SIZE = 500;
/** The limit of one call. */
const MARKED_AT_ONCE = 1000;

const ITEM_ID = parseText(512);
const ALL_OPTIONS = listOptions('query', 'category', 'source', 'unread', 'starred', 'since');
const list = {
  needs: 'reads',
  text: itemText,
  json: ({ snippets, ...item }: ListedItem): object => ({ ...itemAsJson(item), ...(snippets && { snippets }) }),
  empty: 'No matching items.',
} as const;

export const ITEM_COMMANDS = {
  'list items': listCommand({
    ...list,
    options: ALL_OPTIONS,
    run: (given, io) => matchingItems({ scope: 'all' }, given, io),
  }),
  'list selected': listCommand({
    ...list,
    options: ALL_OPTIONS,
    run: (given, io) => matchingItems({ scope: 'selected' }, given, io),
  }),
  'list saved': listCommand({
    ...list,
    args: { name: text('', LONGEST_RULE_NAME) },
    options: listOptions('query', 'category', 'source', 'unread', 'since'),
    run: ({ name, ...given }, io) => matchingItems({ scope: 'all', saved: name }, given, io),
  }),
  'show item': command({
    needs: 'reads',
    args: { id: text('', 512) },
    run: ({ id }, { call }) => call('items.get', { id }),
    text: async (item) => (await import('./document-text.ts')).itemText(item),
    json: itemAsJson,
  }),
  mark: command({
    about: 'mark items as read or unread, star or unstar them',
    needs: 'writes',
    args: {
      mark: choice('the action', ['read', 'unread', 'star', 'unstar']),
      id: {
        about: 'the ids of the items',
        several: true,
        parse: (id: string, before: string[] | undefined): string[] => [...(before ?? []), ITEM_ID(id)],
      },
    },
    // Also items that are not stored: statuses outlive their items.
    run: async ({ mark, id: ids }, { call }) => {
      let changed = 0;
      for (let start = 0; start < ids.length; start += MARKED_AT_ONCE) {
        const receipt = await call('items.mark', { ids: ids.slice(start, start + MARKED_AT_ONCE), mark });
        changed += receipt.changed;
      }
      return { changed };
    },
    text: ({ changed }) => `${countOf(changed, 'item')} changed`,
  }),
};

interface ListFlags {
  query?: string;
  category?: string;
  source?: string;
  unread?: boolean;
  starred?: boolean;
  since?: Since;
  limit?: number;
}

type ListedItem = Omit<ItemRow, 'snippets'> & Partial<Pick<ItemRow, 'snippets'>>;

/** Reads items page by page, newest first. Fails if there is nothing to answer from, because no sync has succeeded yet. */
async function* matchingItems(
  { scope, saved }: { scope: ItemsQuery['scope']; saved?: string },
  flags: ListFlags,
  io: Io,
): AsyncGenerator<ListedItem> {
  const { call, invocation, say, fail } = io;
  await sayProblemsOf(say, flags.query);
  if (scope === 'selected' && !(await call('sync.status', {})).selectedComplete) {
    await say(
      'The selected set has not been downloaded completely, so only recent items are listed: run `broadsheet sync`.',
    );
  }
  const query = {
    ...queryOf(scope, flags),
    ...(saved !== undefined && { saved: (await searchNamed(call, saved)).id }),
  };
  const since = flags.since === undefined ? null : await sinceMs(call, flags.since);
  const limit = flags.limit ?? (invocation.json ? Infinity : HUMAN_LIMIT);
  let written = 0;
  for await (const row of rowsSince(query, since, Math.min(limit + 1, PAGE_SIZE), call)) {
    // A query filters by one state only, so the second of starred and unread is filtered here.
    if (flags.starred && flags.unread && row.state.readAt !== null) continue;
    if (written === limit) {
      if (flags.limit === undefined) await say(`Showing the newest ${limit}. Use --limit N for more.`);
      return;
    }
    const { snippets, ...item } = row;
    yield flags.query === undefined ? item : { ...item, snippets };
    written += 1;
  }
  if (written > 0) return;
  const { selectedComplete } = await call('sync.status', {});
  if (selectedComplete || (await call('counts.get', {})).all.total > 0) return;
  fail('Nothing has been downloaded yet: run `broadsheet sync`.');
}

async function* rowsSince(
  query: ItemsQuery,
  since: number | null,
  limit: number,
  call: Io['call'],
): AsyncGenerator<ItemRow> {
  let cursor: string | null | undefined;
  do {
    const page: ItemsPage = await call('items.page', { query, limit, ...(cursor && { cursor }) });
    for (const row of page.rows) {
      // Newest first: all others are older.
      if (since !== null && (instant(row.effectiveAt) ?? since) < since) return;
      yield row;
    }
    cursor = page.next;
  } while (cursor !== null);
}

function queryOf(scope: ItemsQuery['scope'], { query, category, source, unread, starred }: ListFlags): ItemsQuery {
  return {
    scope,
    window: 'any',
    state: starred ? 'starred' : unread ? 'unread' : 'any',
    ...(category !== undefined && { category }),
    ...(source !== undefined && { source }),
    ...(query !== undefined && { text: query }),
  };
}

function itemText(row: ListedItem): Text {
  const marks = `${row.state.starredAt === null ? ' ' : '*'}${row.state.readAt === null ? 'o' : ' '}`;
  const label = sourceLabel(row.source.name);
  const source = label === '' ? '' : ` - ${label}`;
  const category = row.category === null ? '' : ` (${row.category})`;
  const title = row.withdrawnAt === null ? row.title : `withdrawn by the publisher ${localTime(row.withdrawnAt)}`;
  const shown = row.state.readAt === null ? bold(title) : title;
  return line`${marks} ${dim(localTime(row.effectiveAt))} ${shown}${source}${category} ${dim(`[${row.id}]`)}`;
}
