import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { removeFeed, savedFeeds, saveFeed, type Feed } from '../../../src-main/node/feeds.ts';
import { newSecret } from '../../../src-main/node/server/request-authenticator.ts';
import { startLoopbackServer } from '../../../src-main/node/server/server.ts';
import { checkAtom, checkJsonFeed } from '../../support/feeds.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openOnce } from '../../support/open-once.ts';
import { openTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';
import { ask, PAGE, silentLog, type Answer } from '../hosts.ts';

const ICON = Buffer.from('an icon');
let app: TestApp;
let port: number;
let folder: string;

const standing = openOnce((atEnd) => openRoom({ atEnd }));
beforeEach(() => {
  folder = temporaryFolder();
  ({ app, port } = standing());
});

/** Serves the feeds in the folder of the test. */
async function openRoom({ atEnd = onTestFinished, ...options }: TestAppOptions) {
  const opened = await openTestApp({ ...options, atEnd });
  await opened.call('sync.run', { urgency: 'now', resources: ['items', 'selected', 'dailies', 'weeklies'] });
  const feeds = { saved: async () => (await savedFeeds(folder)).feeds, icon: () => Promise.resolve(ICON) };
  const parts = { wire: opened.core.wire, feeds, files: PAGE, clock: opened.clock, log: silentLog };
  const server = await startLoopbackServer(parts);
  atEnd(() => server.close());
  return { app: opened, port: server.port };
}

async function add(of: Feed['of'], search: Feed['search'] = null): Promise<Feed> {
  const feed = { of, search, token: newSecret(), addedAt: '2026-03-01T00:00:00.000Z' };
  await saveFeed(folder, feed);
  return feed;
}

const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> => ask(port, { path, headers });
const atomOf = ({ token }: Feed): string => `/feed/${token}/atom.xml`;
const jsonOf = ({ token }: Feed): string => `/feed/${token}/feed.json`;

describe('a feed', () => {
  it.each([
    ['items', 'All items'],
    ['selected', 'Picks'],
    ['starred', 'Starred'],
    ['daily', 'Daily · All reports'],
    ['weekly', 'Weekly · All reports'],
    ['monthly', 'Monthly · All reports'],
  ] as const)('of %s is Atom and JSON Feed, with its own address, that of the page and an icon', async (of, title) => {
    const page = await app.call('items.page', { query: { scope: 'all', window: 'any', state: 'any' }, limit: 2 });
    await app.call('items.mark', { ids: page.rows.map(({ id }) => id), mark: 'star' });
    const feed = await add(of);
    const atom = await get(atomOf(feed));
    expect(atom).toMatchObject({ status: 200, headers: { 'content-type': 'application/atom+xml; charset=utf-8' } });
    const checked = checkAtom(atom.text);
    const origin = `http://127.0.0.1:${port}`;
    const base = `${origin}/feed/${feed.token}`;
    const links = { self: `${base}/atom.xml`, home: `${origin}/`, icon: `${base}/icon.png` };
    expect(checked).toMatchObject({ title: `Broadsheet: ${title}`, ...links });
    const json = await get(jsonOf(feed));
    expect(json).toMatchObject({ status: 200, headers: { 'content-type': 'application/feed+json; charset=utf-8' } });
    const { items, ...head } = checkJsonFeed(json.text);
    expect(head).toMatchObject({ feed_url: `${base}/feed.json`, home_page_url: links.home, icon: links.icon });
    expect(items.map(({ id }) => id)).toEqual(checked.entries.map(({ id }) => id));
    if (of === 'starred') expect(items).toHaveLength(2);
    else expect(items.length > 0).toBe(of !== 'monthly');
    expect(await get(`/feed/${feed.token}/icon.png`)).toMatchObject({ status: 200, text: ICON.toString() });
  });

  it('of a saved search has what it shows, until it is removed', async () => {
    const { id } = await app.call('saved.add', { name: 'Papers', query: 'category:paper' });
    const feed = await add('saved', { id, name: 'Papers' });
    const { title, entries } = checkAtom((await get(atomOf(feed))).text);
    const { rows } = await app.call('items.page', {
      query: { scope: 'all', window: 'any', state: 'any', saved: id },
      limit: 500,
    });
    expect([title, entries.length]).toEqual(['Broadsheet: Papers', rows.length]);
    await app.call('saved.remove', { id });
    expect((await get(atomOf(feed))).status).toBe(404);
  });

  it('has the newest 200 items', async () => {
    ({ app, port } = await openRoom({ content: { selected: 210, unselected: 0 } }));
    const { rows } = await app.call('items.page', {
      query: { scope: 'all', window: 'any', state: 'any' },
      limit: 201,
    });
    expect(rows).toHaveLength(201);
    const { items } = checkJsonFeed((await get(jsonOf(await add('items')))).text);
    expect(items.map(({ title }) => title)).toEqual(rows.slice(0, 200).map(({ title }) => title.replace(/\s+/g, ' ')));
  });

  it('is not sent again while it is the same, also if it is empty', async () => {
    for (const feed of [await add('daily'), await add('monthly')]) {
      const { headers } = await get(atomOf(feed));
      const etag = headers.etag ?? '';
      app.clock.advance(1000);
      for (const given of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const same = await get(atomOf(feed), { 'if-none-match': given });
        expect(same).toMatchObject({ status: 304, text: '', headers: { etag, 'cache-control': 'private, no-cache' } });
      }
      expect((await get(atomOf(feed), { 'if-none-match': '"x"' })).status).toBe(200);
      expect((await get(jsonOf(feed), { 'if-none-match': etag })).status).toBe(200);
    }
    const feed = await add('starred');
    const { rows } = await app.call('items.page', { query: { scope: 'all', window: 'any', state: 'any' }, limit: 1 });
    const ids = rows.map(({ id }) => id);
    await app.call('items.mark', { ids, mark: 'unstar' });
    const { headers } = await get(atomOf(feed));
    await app.call('items.mark', { ids, mark: 'star' });
    expect((await get(atomOf(feed), { 'if-none-match': headers.etag ?? '' })).status).toBe(200);
  });
});

describe('the token of a feed', () => {
  it('is refused once it is revoked, like one that never was', async () => {
    const [feed, other] = [await add('daily'), await add('weekly')];
    expect((await get(atomOf(feed))).status).toBe(200);
    await removeFeed(folder, feed);
    const revoked = await get(atomOf(feed));
    const never = await get(atomOf({ ...feed, token: newSecret() }));
    expect(revoked).toMatchObject({ status: 404, text: 'There is no such feed.\n' });
    expect({ ...revoked.headers, date: '' }).toEqual({ ...never.headers, date: '' });
    expect(never.text).toBe(revoked.text);
    expect((await get(atomOf(other))).status).toBe(200);
  });

  it('opens nothing else', async () => {
    const { token } = await add('daily');
    await add('weekly');
    const bearer = { authorization: `Bearer ${token}` };
    const cookie = { cookie: `broadsheet-${port}=${token}` };
    for (const path of ['/', `/?token=${token}`, `/?ticket=${token}`, '/events', '/run', '/assets/app.js']) {
      for (const headers of [{}, bearer, cookie, { ...bearer, ...cookie }]) {
        const { status, headers: given } = await get(path, headers);
        expect([path, status, given['set-cookie']]).toEqual([path, 403, undefined]);
      }
    }
    const call = { ...bearer, ...cookie, origin: `http://127.0.0.1:${port}`, 'content-type': 'application/json' };
    expect((await ask(port, { method: 'POST', path: '/call/counts.get', headers: call, body: '{}' })).status).toBe(403);
    const paths = [
      '',
      '/',
      '/weekly',
      '/../../call/counts.get',
      '/index.html',
      '/atom.xml/',
      '/atom.xml?x',
      '/%61tom.xml',
    ];
    for (const path of paths) expect([path, (await get(`/feed/${token}${path}`)).status]).toEqual([path, 404]);
    for (const path of ['/feed/', '/feed//atom.xml', `/feed/${token.slice(1)}/atom.xml`, `/feed/${token}x/atom.xml`])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('is for GET, at our own Host, and not for other pages', async () => {
    const feed = await add('daily');
    const path = atomOf(feed);
    for (const method of ['HEAD', 'PUT', 'DELETE', 'OPTIONS'])
      expect(await ask(port, { method, path })).toMatchObject({ status: 405, headers: { allow: 'GET' } });
    expect((await ask(port, { method: 'POST', path, body: '' })).status).toBe(403);
    for (const host of ['example.org', `rebound.example:${port}`, '127.0.0.1', '127.0.0.1:1'])
      expect((await get(path, { host })).status).toBe(403);
    for (const headers of [{ origin: 'https://example.org' }, { 'sec-fetch-site': 'cross-site' }] as const)
      expect((await get(path, headers as never)).status).toBe(403);
    const local = await get(path, { host: `localhost:${port}` });
    expect(checkAtom(local.text).self).toBe(`http://localhost:${port}${path}`);
    expect(local.headers['access-control-allow-origin']).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')('is in a file that only its user can read, or not valid', async () => {
    const feed = await add('daily');
    const file = join(folder, 'feeds', 'daily.json');
    expect([statSync(file).mode & 0o777, statSync(join(folder, 'feeds')).mode & 0o777]).toEqual([0o600, 0o700]);
    chmodSync(file, 0o640);
    expect((await get(atomOf(feed))).status).toBe(404);
    expect(await savedFeeds(folder)).toEqual({ feeds: [], unusable: ['daily.json'] });
  });
});
