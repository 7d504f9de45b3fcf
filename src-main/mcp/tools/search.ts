import { z } from 'zod';
import { countOf } from '../../common/numbers.ts';
import { reportOfNote } from '../../contract/model/note.ts';
import type { SearchGroup, SearchHit } from '../../contract/model/search.ts';
import type { Call } from '../../contract/wire.ts';
import { itemLines, lineOf, linkOf, MAX_LENGTH, passageOf, sourceOf, type Cited } from '../citation.ts';
import { nullIfMissing, pageArguments, tool, type Answer } from '../tool.ts';
import { itemInShort } from './items.ts';

/** Without the reader's notes, which are not news (docs/decisions/122). */
const KINDS = ['items', 'stories', 'reports', 'models'] as const;
/** `search.find` finds at most 500 of each kind. */
const MAX_FOUND = 500;
const MAX_HITS = 50;

interface Hit extends Cited {
  id: string;
  snippet: string | null;
  withdrawnAt: string | null;
}

export const search = tool({
  name: 'search',
  title: 'Search what is saved',
  description:
    'Searches all saved news items, stories, reports and models, in English and Chinese; the best of each kind first. ' +
    'All words must match, or if nothing has them all, any; OR separates alternatives, - excludes, quotes keep words together, * stands for the rest of a ' +
    'word. Operators: source:NAME category:NAME is:unread|read|starred|selected|withdrawn has:story|note ' +
    'before:2026-11-20 after:2026-11 score:>80. Ids are for get_item and get_story; kind/label for get_report, list/id for get_model.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(1000).describe('Words and operators'),
    kinds: z
      .array(z.enum(KINDS))
      .min(1)
      .max(KINDS.length)
      .default([...KINDS])
      .describe('What to search'),
    ...pageArguments(MAX_HITS, 10, MAX_FOUND - MAX_HITS),
  }),
  resource: () => 'items',
  async run({ query, kinds, limit, offset }, { call }): Promise<Answer> {
    const end = offset + limit;
    const find = (text: string) => call('search.find', { text, in: [...new Set(kinds)], limit: end });
    const ofAll = await find(query);
    const anyWord = ofAll.groups.every(({ count }) => count === 0) ? anyWordOf(query) : null;
    const found = anyWord === null ? ofAll : await find(anyWord);
    const groups = await Promise.all(found.groups.map((group) => quoteGroup(call, group, offset)));
    const hasMore = found.groups.some(({ count, atLeast }) => count > end || (atLeast && count >= end));
    const nextOffset = hasMore && end <= MAX_FOUND - MAX_HITS ? end : null;
    const problems = found.problems.map(({ code, text }) => `${code}: ${lineOf(text, MAX_LENGTH.name) ?? ''}`);
    return {
      intro: introOf(groups, nextOffset, problems, anyWord !== null),
      facts: { problems, anyWord: anyWord !== null, nextOffset },
      quoted: { groups },
      lines: groups.flatMap(({ kind, hits }) =>
        hits.length === 0
          ? []
          : [`[${kind}]`, ...hits.flatMap((one, at) => itemLines(`${offset + at + 1}.`, one, one.snippet))],
      ),
    };
  },
});

/** Null for a single word, and where operators say what is meant. */
function anyWordOf(query: string): string | null {
  const words = query.split(/\s+/);
  const arePlain = words.every((word) => /^[\p{L}\p{N}]/u.test(word) && !/[:"]|^OR$/.test(word));
  return words.length > 1 && arePlain ? words.join(' OR ') : null;
}

type Group = Pick<SearchGroup, 'kind' | 'count' | 'atLeast'> & { hits: Hit[] };

async function quoteGroup(call: Call, { kind, count, atLeast, hits }: SearchGroup, offset: number): Promise<Group> {
  const shown: Hit[] = [];
  // In turn, because all are read from one connection.
  for (const one of hits.slice(offset)) shown.push(await quoteHit(call, one));
  return { kind, count, atLeast, hits: shown };
}

async function quoteHit(call: Call, { kind, id, title, snippet, at, source }: SearchHit): Promise<Hit> {
  const links = await linksOf(call, kind, id);
  if (links.withdrawnAt !== null) {
    return { id, title: null, source: null, time: null, snippet: null, ...links };
  }
  return {
    id,
    title: lineOf(title),
    source: sourceOf(source),
    time: at,
    snippet: passageOf(snippet?.text, MAX_LENGTH.summary),
    ...links,
  };
}

type Links = Pick<Hit, 'url' | 'page' | 'withdrawnAt'>;
const NO_LINKS: Links = { url: null, page: null, withdrawnAt: null };

async function linksOf(call: Call, kind: SearchHit['kind'], id: string): Promise<Links> {
  if (kind === 'items') {
    const item = await itemInShort(call, id);
    return item ? { url: item.url, page: item.page, withdrawnAt: item.withdrawnAt } : NO_LINKS;
  }
  if (kind === 'reports') return { ...NO_LINKS, page: await pageOfReport(call, id) };
  if (kind !== 'stories') return NO_LINKS;
  const story = await call('stories.get', { publicId: id }).catch(nullIfMissing);
  const first = story?.reports.findLast(({ links }) => linkOf(links.original) !== null);
  return { url: linkOf(first?.links.original), page: linkOf(story?.links.aihot), withdrawnAt: null };
}

async function pageOfReport(call: Call, id: string): Promise<string | null> {
  const named = reportOfNote(id);
  const report = named && (await call('reports.get', named).catch(nullIfMissing));
  return linkOf(report?.links.aihot);
}

function introOf(
  groups: readonly Group[],
  nextOffset: number | null,
  problems: readonly string[],
  anyWord: boolean,
): string {
  const counts = groups.map(({ kind, count, atLeast }) => `${kind} ${String(count)}${atLeast ? ' or more' : ''}`);
  const next = nextOffset === null ? '' : ` Next page: offset ${String(nextOffset)}.`;
  const odd =
    problems.length === 0 ? '' : ` Not understood, so searched as words: ${countOf(problems.length, 'part')}.`;
  const none = groups.every(({ count }) => count === 0)
    ? ' Try fewer or other words, or the other language: texts are in Chinese or English.'
    : '';
  const found = anyWord ? 'Nothing has all of the words. Found with any of them:' : 'Found:';
  return `${found} ${counts.join(', ')}.${next}${odd}${none}`;
}
