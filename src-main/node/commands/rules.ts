import { countOf } from '../../common/numbers.ts';
import { nameKey } from '../../common/text.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import {
  LONGEST_RULE_NAME,
  LONGEST_RULE_QUERY,
  MOST_SAVED_SEARCHES,
  SEARCH_MARKS,
  type MuteRule,
  type SavedSearch,
} from '../../contract/model/search.ts';
import type { Call } from '../../contract/wire.ts';
import { choice, command, flag, listCommand, option, text, whole, type Io } from '../command.ts';
import { UsageError } from '../shell.ts';
import { bold, dim, line, type Text } from '../terminal-text.ts';
import { printUnknown } from './known-names.ts';

const name = text('its name', LONGEST_RULE_NAME);

export const RULE_COMMANDS = {
  'saved list': listCommand({
    about: 'list saved searches with what they have',
    needs: 'reads',
    async *run(_given, { call }) {
      yield* (await call('saved.list', {})).searches;
    },
    text: savedText,
    empty: 'No saved searches.',
  }),
  'saved add': command({
    about: 'save a search as a view',
    needs: 'writes',
    args: { name, query: text('as in list items --query', LONGEST_RULE_QUERY) },
    options: {
      notify: flag('notify about new items'),
      marks: option('what', choice('mark new items as read, or star them', SEARCH_MARKS)),
    },
    run: async ({ name, query, ...options }, io) => {
      const { id } = await io.call('saved.add', { name, query, ...options });
      await printUnknown(io, query);
      return readOnceMatched(io, id);
    },
    text: savedText,
  }),
  'saved change': command({
    about: 'change a saved search',
    needs: 'writes',
    args: { search: { ...name, name: 'name' } },
    options: {
      name: option('name', text('its new name', LONGEST_RULE_NAME)),
      query: option('query', text('its new query', LONGEST_RULE_QUERY)),
      notify: flag('notify about new items', 'no longer notify'),
      marks: option('what', choice('mark new items as read, or star them; none: neither', [...SEARCH_MARKS, 'none'])),
      place: option('n', whole('its place among the others: 1 is the first', 1, MOST_SAVED_SEARCHES)),
    },
    prepare: ({ search: _search, ...changes }) => {
      if (Object.keys(changes).length === 0) throw new UsageError('nothing to change: see saved change --help');
    },
    run: async ({ search, place, marks, ...change }, io) => {
      const { id } = await findSearch(io.call, search);
      const changes = { ...change, ...(marks !== undefined && { marks: marks === 'none' ? null : marks }) };
      if (Object.keys(changes).length > 0) await io.call('saved.change', { id, ...changes });
      if (change.query !== undefined) await printUnknown(io, change.query);
      if (place !== undefined) await io.call('saved.move', { id, to: place - 1 });
      return readOnceMatched(io, id);
    },
    text: savedText,
  }),
  'saved remove': command({
    about: 'remove a saved search; its items stay',
    needs: 'writes',
    args: { name },
    run: async ({ name }, { call }) => {
      const { id } = await findSearch(call, name);
      await call('saved.remove', { id });
      return { removed: id };
    },
    text: () => 'Saved search removed',
  }),
  'mute list': listCommand({
    about: 'list mute rules with how many saved items each matches',
    needs: 'reads',
    async *run(_given, { call }) {
      yield* (await call('mutes.list', {})).rules;
    },
    text: muteText,
    empty: 'No mute rules.',
  }),
  'mute add': command({
    about: 'hide what matches; it stays in Starred, and list items --query is:muted shows it',
    needs: 'writes',
    args: { query: text('as in list items --query: words, source:name, category:paper', LONGEST_RULE_QUERY) },
    run: async ({ query }, io) => {
      const { id, added } = await io.call('mutes.add', { query });
      await printUnknown(io, query);
      await untilMatched(io);
      const { rules } = await io.call('mutes.list', {});
      const rule = rules.find((one) => one.id === id);
      return rule && { rule, added };
    },
    text: ({ rule, added }) => (added ? muteText(rule) : line`Already muted: ${muteText(rule)}`),
    json: ({ rule }) => rule,
  }),
  'mute remove': command({
    about: 'show again what a rule hides',
    needs: 'writes',
    args: { id: text('its id: see mute list', 36) },
    prepare: ({ id }) => {
      if (!/^[0-9a-zA-Z-]+$/.test(id)) throw new UsageError(`argument 'id' is not the id of a rule: see mute list`);
    },
    run: async ({ id }, io) => {
      const { rules } = await io.call('mutes.list', {});
      if (!rules.some((one) => one.id === id)) throw new BroadsheetError('not_found', `There is no mute rule ${id}.`);
      await io.call('mutes.remove', { id });
      await untilMatched(io);
      return { removed: id };
    },
    text: () => 'Mute rule removed',
  }),
};

/** Finds a saved search by its name. Errors: `not_found`. */
export async function findSearch(call: Call, name: string): Promise<SavedSearch> {
  const { searches } = await call('saved.list', {});
  const found = searches.find((one) => nameKey(one.name) === nameKey(name)) ?? searches.find(({ id }) => id === name);
  if (found) return found;
  throw new BroadsheetError('not_found', `There is no saved search named “${name}”: see saved list.`);
}

async function readOnceMatched(io: Io, id: string): Promise<SavedSearch | undefined> {
  await untilMatched(io);
  const { searches } = await io.call('saved.list', {});
  return searches.find((one) => one.id === id);
}

/** Waits until all saved items are matched, for the counts of this command and the next. */
async function untilMatched({ call, on }: Io): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const stop = on('rules.changed', ({ progress }) => {
    if (progress === null) resolve(null);
  });
  try {
    const { progress } = await call('mutes.list', {});
    if (progress !== null) await promise;
  } finally {
    stop();
  }
}

const MARK_TEXTS = { read: ', marks new items as read', star: ', stars new items' } as const;

function savedText({ name, query, notify, marks, count, problem }: SavedSearch): Text {
  const numbers = `${countOf(count.total, 'item')}, ${String(count.unread)} unread`;
  return line`${bold(name)}: ${query} (${problem?.message ?? numbers}${notify ? ', notifies' : ''}${marks ? MARK_TEXTS[marks] : ''})`;
}

function muteText({ id, query, hides, problem }: MuteRule): Text {
  return line`${bold(query)} (${problem?.message ?? countOf(hides, 'item')}) ${dim(`[${id}]`)}`;
}
