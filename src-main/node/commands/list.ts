import { instant } from '../../common/time.ts';
import { sourceLabel } from '../../common/source-label.ts';
import type { ItemRow, ItemsPage, ItemsQuery } from '../../contract/model/item.ts';
import type { Wire } from '../../contract/wire.ts';
import type { Invocation } from '../invocation.ts';
import { call, openReadingCore } from '../open-core.ts';
import { EXIT } from '../shell.ts';
import type { ExitCode } from '../shell.ts';
import { bold, dim, line, type Text } from '../styled-text.ts';
import { jsonLine, localTime } from '../terminal.ts';
import { hintNothingStored } from './hints.ts';
import { searchNamed } from './rules/rules.ts';
import { sayProblemsOf } from './search/query-problems.ts';
import { itemAsJson } from './json-names.ts';
import { sinceMs, type Since } from './since.ts';

export interface ListOptions {
  what: 'items' | 'selected';
  query?: string;
  category?: string;
  /** The name of a saved search. */
  saved?: string;
  source?: string;
  unread: boolean;
  starred: boolean;
  since?: Since;
  limit?: number;
}

/** For text output only; JSON output is not limited. */
const HUMAN_LIMIT = 50;
const PAGE_SIZE = 500;

/** Prints items, newest first. Reads them page by page to limit memory use. */
export async function list(invocation: Invocation, options: ListOptions): Promise<ExitCode> {
  const opened = await openReadingCore(invocation);
  if (!opened) {
    await hintNothingStored(invocation);
    return EXIT.well;
  }
  try {
    await sayProblemsOf(invocation.shell, options.query);
    if (options.what === 'selected') await warnWhenIncomplete(invocation, opened.wire);
    return await writeRows(invocation, opened.wire, options);
  } finally {
    await opened.close();
  }
}

/** Exit code 1 if there is nothing to answer from, because no sync has succeeded yet. */
async function writeRows({ shell, json }: Invocation, wire: Wire, options: ListOptions): Promise<ExitCode> {
  const limit = options.limit ?? (json ? Infinity : HUMAN_LIMIT);
  const write = json ? jsonRow(options) : wordsOf;
  let written = 0;
  for await (const row of matchingRows(wire, options, Math.min(limit + 1, PAGE_SIZE))) {
    if (written === limit) {
      if (options.limit === undefined) await shell.err.line(`Showing the newest ${limit}. Use --limit N for more.`);
      return EXIT.well;
    }
    await shell.out.line(write(row));
    if (shell.out.closed) return EXIT.well;
    written += 1;
  }
  if (written > 0) return EXIT.well;
  const { selectedComplete } = await call(wire, 'sync.status', {});
  const isEmpty = !selectedComplete && (await call(wire, 'counts.get', {})).all.total === 0;
  await shell.err.line(isEmpty ? 'Nothing has been downloaded yet: run `broadsheet sync`.' : 'No matching items.');
  return isEmpty ? EXIT.failed : EXIT.well;
}

async function* matchingRows(wire: Wire, options: ListOptions, pageSize: number): AsyncGenerator<ItemRow> {
  const saved = options.saved === undefined ? {} : { saved: (await searchNamed(wire, options.saved)).id };
  const query = { ...queryOf(options), ...saved };
  const since = options.since === undefined ? null : await sinceMs(wire, options.since);
  let cursor: string | null | undefined;
  do {
    const page: ItemsPage = await call(wire, 'items.page', { query, limit: pageSize, ...(cursor && { cursor }) });
    for (const row of page.rows) {
      // Newest first: all others are older.
      if (since !== null && (instant(row.effectiveAt) ?? since) < since) return;
      // A query filters by one state only, so the second of starred and unread is filtered here.
      if (!options.starred || !options.unread || row.state.readAt === null) yield row;
    }
    cursor = page.next;
  } while (cursor !== null);
}

function queryOf({ what, query, category, source, unread, starred }: ListOptions): ItemsQuery {
  return {
    scope: what === 'selected' ? 'selected' : 'all',
    window: 'any',
    state: starred ? 'starred' : unread ? 'unread' : 'any',
    ...(category !== undefined && { category }),
    ...(source !== undefined && { source }),
    ...(query !== undefined && { text: query }),
  };
}

/** The service's fields, with unknown ones in `extra`, the user's state, and snippets for a search. */
function jsonRow({ query }: ListOptions): (row: ItemRow) => string {
  return ({ snippets, ...item }) => jsonLine({ ...itemAsJson(item), ...(query !== undefined && { snippets }) });
}

function wordsOf(row: ItemRow): Text {
  const marks = `${row.state.starredAt === null ? ' ' : '*'}${row.state.readAt === null ? 'o' : ' '}`;
  const label = sourceLabel(row.source.name);
  const source = label === '' ? '' : ` - ${label}`;
  const category = row.category === null ? '' : ` (${row.category})`;
  const title = row.withdrawnAt === null ? row.title : `withdrawn by the publisher ${localTime(row.withdrawnAt)}`;
  const shown = row.state.readAt === null ? bold(title) : title;
  return line`${marks} ${dim(localTime(row.effectiveAt))} ${shown}${source}${category} ${dim(`[${row.id}]`)}`;
}

async function warnWhenIncomplete({ shell }: Invocation, wire: Wire): Promise<void> {
  const { selectedComplete } = await call(wire, 'sync.status', {});
  if (selectedComplete) return;
  await shell.err.line(
    'The selected set has not been downloaded completely, so only recent items are listed: run `broadsheet sync`.',
  );
}
