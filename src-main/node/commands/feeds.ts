import { nameKey } from '../../common/text.ts';
import { LIVE_FEEDS } from '../../contract/model/export.ts';
import { LONGEST_RULE_NAME } from '../../contract/model/search.ts';
import { choice, optional, ownCommand, text } from '../command.ts';
import type { Feed } from '../feeds.ts';
import type { Invocation } from '../invocation.ts';
import { print } from '../run-command.ts';
import { EXIT, MachineError, UsageError, type ExitCode } from '../shell.ts';
import { bold, jsonLine, line, wordOf } from '../terminal-text.ts';
import { findSearch } from './rules.ts';
import { DEFAULT_PORT } from './service.ts';

type Of = Feed['of'];

const args = {
  feed: choice('the list, saved (with the name of a saved search), or a kind of report', LIVE_FEEDS),
  name: optional(text('saved: the name of the saved search', LONGEST_RULE_NAME)),
};
const HELP = `
Whoever has an address can read its feed, on this computer only, and nothing else. Feeds have the newest 200 items or 20 reports.
  broadsheet feeds add daily
  broadsheet feeds add saved "Open weights"`;

export const FEED_COMMANDS = {
  'feeds list': ownCommand({
    about: 'list the feeds with their addresses',
    run: (_given, invocation) => listFeeds(invocation),
  }),
  'feeds add': ownCommand({
    about: 'add a feed and print its addresses: Atom and JSON Feed',
    args,
    help: HELP,
    run: ({ feed, name }, invocation) => addFeed(invocation, feed, name),
  }),
  'feeds revoke': ownCommand({
    about: 'end a feed: its addresses no longer work; adding it again makes new ones',
    args,
    run: ({ feed, name }, invocation) => revokeFeed(invocation, feed, name),
  }),
};

async function listFeeds(invocation: Invocation): Promise<ExitCode> {
  const { shell, json, dataFolder } = invocation;
  const { feeds, unusable } = await (await import('../feeds.ts')).savedFeeds(dataFolder);
  const names = await currentNames(invocation, feeds);
  for (const feed of feeds) {
    const record = await recordOf(dataFolder, feed, names);
    for (const one of json ? [jsonLine(record)] : textsOf(record)) await shell.out.line(one);
  }
  if (feeds.length === 0 && !json) await shell.err.line('No feeds: see feeds add --help.');
  for (const name of unusable) {
    await shell.err.line(
      `Not in use, because others could read it or it is damaged: feeds/${name}. Add the feed again.`,
    );
  }
  return EXIT.well;
}

async function addFeed(invocation: Invocation, of: Of, name: string | undefined): Promise<ExitCode> {
  const { shell, dataFolder } = invocation;
  assertName(of, name);
  const [{ MOST_FEEDS, savedFeeds, saveFeed }, { newSecret }, { rememberedAddress }] = await Promise.all([
    import('../feeds.ts'),
    import('../server/request-authenticator.ts'),
    import('../serving.ts'),
  ]);
  const search = name === undefined ? null : await searchOf(invocation, name);
  const isSame = (one: Feed): boolean => one.of === of && one.search?.id === search?.id;
  const { feeds } = await savedFeeds(dataFolder);
  if (!feeds.some(isSame)) {
    if (feeds.length >= MOST_FEEDS) throw new MachineError(`There are ${MOST_FEEDS} feeds. Revoke one first.`);
    await saveFeed(dataFolder, { of, search, token: newSecret(), addedAt: new Date().toISOString() });
  }
  const feed = (await savedFeeds(dataFolder)).feeds.find(isSame);
  if (!feed) throw new MachineError(`Others can read ${dataFolder}, so it can have no secret addresses.`);
  const record = await recordOf(dataFolder, feed, new Map());
  await print(invocation, record, textsOf(record));
  if (rememberedAddress(dataFolder) === null) await shell.err.line('It can be read while `broadsheet serve` runs.');
  return EXIT.well;
}

async function revokeFeed(invocation: Invocation, of: Of, name: string | undefined): Promise<ExitCode> {
  const { dataFolder } = invocation;
  assertName(of, name);
  const { removeFeed, savedFeeds } = await import('../feeds.ts');
  const { feeds } = await savedFeeds(dataFolder);
  const names = await currentNames(invocation, feeds);
  const isNamed = ({ search }: Feed): boolean =>
    name === undefined ||
    [search?.id === name, nameKey(names.get(search?.id ?? '') ?? search?.name ?? '') === nameKey(name)].includes(true);
  const feed = feeds.find((one) => one.of === of && isNamed(one));
  if (!feed) throw new MachineError('There is no such feed: see feeds list.');
  await removeFeed(dataFolder, feed);
  await print(invocation, { revoked: of, name: feed.search?.name ?? null }, 'Revoked: its addresses no longer work.');
  return EXIT.well;
}

function assertName(of: Of, name: string | undefined): void {
  if (of === 'saved' && name === undefined) throw new UsageError("'saved' needs the name of a saved search");
  if (of !== 'saved' && name !== undefined) throw new UsageError(`'${wordOf(of)}' takes no name`);
}

async function searchOf(invocation: Invocation, name: string): Promise<{ id: string; name: string }> {
  const { openStored } = await import('../open-core.ts');
  const { call, close } = await openStored(invocation);
  const search = await findSearch(call, name).finally(close);
  return { id: search.id, name: search.name };
}

/** Names of saved searches by id: they may have changed since the feed was added. */
async function currentNames(invocation: Invocation, feeds: readonly Feed[]): Promise<ReadonlyMap<string, string>> {
  if (feeds.every(({ search }) => search === null)) return new Map();
  const { openReadingCore } = await import('../open-core.ts');
  const opened = await openReadingCore(invocation);
  if (!opened) return new Map();
  const { searches } = await opened.call('saved.list', {}).finally(opened.close);
  return new Map(searches.map((one) => [one.id, one.name]));
}

async function recordOf(folder: string, { of, search, token, addedAt }: Feed, names: ReadonlyMap<string, string>) {
  const name = search && (names.get(search.id) ?? search.name);
  const base = `http://127.0.0.1:${await portOf(folder)}/feed/${token}`;
  return { feed: of, name, atom: `${base}/atom.xml`, json: `${base}/feed.json`, addedAt };
}

function textsOf({ feed, name, atom, json }: Awaited<ReturnType<typeof recordOf>>) {
  const word = wordOf(feed);
  return [line`${bold(name === null ? word : `${word}: ${name}`)}`, `  ${atom}`, `  ${json}`];
}

/** Feed readers remember addresses: `serve` takes this port whenever it is free. */
async function portOf(folder: string): Promise<number> {
  const [{ savedSession, saveSession }, { newSecret }] = await Promise.all([
    import('../serving.ts'),
    import('../server/request-authenticator.ts'),
  ]);
  const session = savedSession(folder);
  if (session) return session.port;
  await saveSession(folder, { secret: newSecret(), port: DEFAULT_PORT });
  return DEFAULT_PORT;
}
