import { countOf } from '../../common/numbers.ts';
import { categoryOf } from '../../common/query.ts';
import { sourceLabel } from '../../common/source-label.ts';
import { instant } from '../../common/time.ts';
import type { ItemRow, ItemsPage, ItemsQuery, StoredItem } from '../../contract/model/item.ts';
import { LONGEST_RULE_NAME } from '../../contract/model/search.ts';
import type { Call } from '../../contract/wire.ts';
import { choice, command, listCommand, parseText, text, type Io } from '../command.ts';
import { bold, dim, line, type Text, localTime } from '../terminal-text.ts';
import { listOptions, sinceMs, type Since } from './list-options.ts';
import { assertKnown } from './known-names.ts';
import { findSearch } from './rules.ts';
import { printQueryProblems } from './search.ts';

/** JSON output is not limited. */
const TEXT_LIMIT = 50;
const PAGE_SIZE = 500;
/** The limit of one call. */
const MAX_MARKED = 1000;
const MOST_NAMED = 10;

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
    run: (given, io) => readItems('all', given, io),
  }),
  'list picks': listCommand({
    ...list,
    options: ALL_OPTIONS,
    run: (given, io) => readItems('selected', given, io),
  }),
  'list saved': listCommand({
    ...list,
    args: { name: text('', LONGEST_RULE_NAME) },
    options: listOptions('query', 'category', 'source', 'unread', 'since'),
    run: ({ name, ...given }, io) => readItems('all', { ...given, saved: name }, io),
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
    run: async ({ mark, id: given }, { call, fail }) => {
      const unknown: string[] = [];
      let changed: number | null = null;
      for (let start = 0; start < given.length; start += MAX_MARKED) {
        const part = [...new Set(given.slice(start, start + MAX_MARKED))];
        const missing = new Set((await call('items.unknown', { ids: part })).ids);
        const ids = part.filter((id) => !missing.has(id));
        unknown.push(...missing);
        if (ids.length > 0) changed = (changed ?? 0) + (await call('items.mark', { ids, mark })).changed;
      }
      if (unknown.length > 0) fail(`Not saved here: ${namesOf(unknown)}.`);
      return changed === null ? undefined : { changed };
    },
    text: ({ changed }) => `${countOf(changed, 'item')} changed`,
  }),
};

export function namesOf(ids: readonly string[]): string {
  const named = ids.slice(0, MOST_NAMED).join(', ');
  return ids.length > MOST_NAMED ? `${named} and ${ids.length - MOST_NAMED} more` : named;
}

interface Filters {
  query?: string;
  category?: string;
  source?: string;
  unread?: boolean;
  starred?: boolean;
  /** The name of a saved search. */
  saved?: string;
}

type ListedItem = Omit<ItemRow, 'snippets'> & Partial<Pick<ItemRow, 'snippets'>>;

/** Reads items page by page, newest first. Fails if no sync has succeeded yet. */
async function* readItems(
  scope: ItemsQuery['scope'],
  flags: Filters & { since?: Since; limit?: number },
  { call, invocation, hint, fail }: Io,
): AsyncGenerator<ListedItem> {
  await printQueryProblems({ call, hint }, flags.query);
  if (scope === 'selected' && !(await call('sync.status', {})).selectedComplete) {
    await hint('Picks have not been downloaded completely, so only recent items are listed: run `broadsheet sync`.');
  }
  const query = await itemsQuery(call, scope, flags);
  const since = flags.since === undefined ? null : await sinceMs(call, flags.since);
  const limit = flags.limit ?? (invocation.json ? Infinity : TEXT_LIMIT);
  let written = 0;
  for await (const row of readRowsSince(query, since, Math.min(limit + 1, PAGE_SIZE), call)) {
    // A query filters by one state only.
    if (flags.starred && flags.unread && row.state.readAt !== null) continue;
    if (written === limit) {
      if (flags.limit === undefined) await hint(`Showing the newest ${limit}. Use --limit N for more.`);
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

async function* readRowsSince(
  query: ItemsQuery,
  since: number | null,
  limit: number,
  call: Call,
): AsyncGenerator<ItemRow> {
  let cursor: string | null | undefined;
  do {
    const page: ItemsPage = await call('items.page', { query, limit, ...(cursor && { cursor }) });
    for (const row of page.rows) {
      // Newest first.
      if (since !== null && (instant(row.effectiveAt) ?? since) < since) return;
      yield row;
    }
    cursor = page.next;
  } while (cursor !== null);
}

export async function itemsQuery(
  call: Call,
  scope: ItemsQuery['scope'],
  { query, category: name, source, unread, starred, saved }: Filters,
): Promise<ItemsQuery> {
  const category = name === undefined ? undefined : categoryOf(name);
  await assertKnown(call, { category, source });
  return {
    scope,
    window: 'any',
    state: starred ? 'starred' : unread ? 'unread' : 'any',
    ...(category !== undefined && { category }),
    ...(source !== undefined && { source }),
    ...(saved !== undefined && { saved: (await findSearch(call, saved)).id }),
    ...(query !== undefined && { text: query }),
  };
}

function itemAsJson({ models, ...item }: StoredItem): object {
  return { ...item, models: models.map(({ modelList, ...model }) => ({ listing: modelList, ...model })) };
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
