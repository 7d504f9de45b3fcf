import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src-main/contract/model/model.ts';
import type { ResourceName } from '../../../src-main/contract/model/resource.ts';
import { serve } from '../../clients/tiny-service.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { modelRecord } from '../../support/gateway.ts';
import { openTestEngine } from '../../support/test-engine.ts';
import { topic } from '../../support/told-stories.ts';

type Fields = Record<string, Json>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const IDS = ['one', 'two', 'three', 'four', 'five'];
/** The tests of the client hold the others. */
const BROKEN: Json[][] = [[123], ['x'.repeat(513)]];

const record = (id: string, now: number): Fields => ({
  id,
  title: `Title of ${id}`,
  summary: `Text of ${id}`,
  links: { original: `https://news.example/${id}` },
  publishedAt: new Date(now - HOUR).toISOString(),
  discoveredAt: new Date(now - HOUR).toISOString(),
});

/** A service whose lists a test controls: pages of two records, each with an ETag. */
async function openScene() {
  const clock = fakeClock();
  const began = clock.now();
  const lists = {
    items: IDS.map((id): Json => record(id, began)),
    selected: IDS.map((id): Json => record(`selected-${id}`, began)),
    hot: IDS.map((id, n): Json => topic(n + 1, id)),
    models: IDS.map((id): Json => modelRecord(`made/${id}`)),
  };
  /** A new one asks for another snapshot. */
  const ledger = { cursor: 'c1', failsAt: -1, changes: [] as Json[], snapshots: 0 };
  const answers: Record<string, (query: URLSearchParams) => Json> = {
    '/items': (query) => {
      const from = Number(query.get('cursor') ?? 0);
      const items = query.get('mode') === 'selected' ? [] : lists.items.slice(from, from + 2);
      const hasMore = items.length > 0 && from + 2 < lists.items.length;
      return { items, page: { hasMore, nextCursor: hasMore ? String(from + 2) : null } };
    },
    '/selected/snapshot': (query) => {
      if (!query.has('page')) ledger.snapshots += 1;
      const from = Number(query.get('page') ?? 0);
      const hasMore = from + 2 < lists.selected.length;
      const next = hasMore ? { nextPage: String(from + 2) } : {};
      return { items: lists.selected.slice(from, from + 2), cursor: ledger.cursor, hasMore, ...next };
    },
    '/selected/changes': () => ({ cursor: ledger.cursor, hasMore: false, changes: ledger.changes }),
    '/hot-topics': () => ({ items: lists.hot }),
    '/models/user': () => ({ data: lists.models }),
    '/embeddings/models': () => ({ data: [] }),
  };
  const { address } = await serve((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const path = url.pathname.replace('/api/v1', '');
    const cursor = url.searchParams.get('cursor');
    const isOld = path === '/selected/changes' && cursor !== ledger.cursor;
    const fails = path === '/selected/snapshot' && url.searchParams.get('page') === String(ledger.failsAt);
    const body = JSON.stringify(isOld ? { code: 'snapshot_required' } : (answers[path]?.(url.searchParams) ?? {}));
    const etag = `W/"${createHash('sha256').update(body).digest('hex')}"`;
    const isSame = request.headers['if-none-match'] === etag;
    const status = isOld ? 409 : fails ? 500 : answers[path] === undefined ? 404 : isSame ? 304 : 200;
    const type = isOld ? 'application/problem+json' : 'application/json';
    const date = new Date(clock.now()).toUTCString();
    response.writeHead(status, { 'content-type': type, etag, date }).end(status === 304 ? undefined : body);
  });
  const gateway = { source: { address, demo: false, from: 'option' }, key: null, keyEnding: null } as const;
  const options = { address, gateway, clock, folder: temporaryFolder() };
  let room = openTestEngine(options);
  const scene = {
    lists,
    clock,
    ledger,
    async sync(name: ResourceName, urgency: 'all' | 'now' = 'all') {
      clock.advance(2 * MINUTE);
      return (await room.call('sync.run', { urgency, resources: [name] })).resources[name];
    },
    async confirming(name: ResourceName) {
      return (await room.call('sync.status', {})).resources.find((one) => one.name === name)?.confirming ?? null;
    },
    async ids(scope: 'all' | 'selected') {
      const query = { scope, window: 'any', state: 'any' } as const;
      const { rows } = await room.call('items.page', { query, limit: 50 });
      return rows.map(({ id }) => id).sort();
    },
    topics: () => room.queries.rankings.list().topics,
    models: () => room.queries.models.list(address, 'models').lines.map(({ id }) => id),
    changes: () => room.queries.models.refreshes(address, 10),
    async reopen() {
      await room.engine.close();
      room = openTestEngine(options);
    },
  };
  for (const name of ['items', 'selected', 'hotTopics', 'models'] as const)
    expect(await scene.sync(name)).toMatchObject({ status: 'ok', added: IDS.length, skipped: 0 });
  return scene;
}

/** A list with other ids in place of its first ones. */
const withIds = (list: readonly Json[], ids: readonly Json[]): Json[] =>
  list.map((one, n) => (n < ids.length ? { ...(one as Fields), id: ids[n]! } : one));

describe('an answer with records whose ids cannot be read', () => {
  it.each(BROKEN)('withdraws no item, also if the page with it is unchanged later (%#)', async (id) => {
    const { lists, clock, sync, ids, confirming } = await openScene();
    const all = await ids('all');
    const whole = lists.items;
    lists.items = withIds(whole, [id]);
    expect(await sync('items')).toMatchObject({ status: 'ok', withdrawn: 0, skipped: 1 });
    // The first page is now as it was saved.
    expect(await sync('items')).toMatchObject({ withdrawn: 0 });
    clock.advance(DAY);
    expect(await sync('items')).toMatchObject({ withdrawn: 0 });
    expect(await ids('all')).toEqual(all);
    expect(await confirming('items')).toMatchObject({ stored: 5, received: 4 });

    // A clean list says what is missing.
    lists.items = whole.slice(0, 4);
    expect(await sync('items')).toMatchObject({ withdrawn: 1, skipped: 0 });
    expect(await confirming('items')).toBeNull();
    expect(await ids('all')).toEqual(all.filter((one) => one !== 'five'));
  });

  it('hides nothing of what is withdrawn after it was there for a while', async () => {
    const { lists, sync, ids } = await openScene();
    const whole = lists.items;
    lists.items = [...whole, null];
    expect(await sync('items')).toMatchObject({ status: 'ok', withdrawn: 0, skipped: 1 });
    lists.items = [...whole.slice(1), null];
    expect(await sync('items')).toMatchObject({ withdrawn: 1, skipped: 1 });
    expect(await ids('all')).not.toContain('one');
  });

  it('withdraws no item with a long id whose title cannot be read', async () => {
    const { lists, sync, ids } = await openScene();
    const long = 'long'.repeat(100);
    const whole = withIds(lists.items, [long]);
    lists.items = whole;
    await sync('items');
    lists.items = whole.map((one, n) => (n === 0 ? { ...(one as Fields), title: null } : one));
    expect(await sync('items')).toMatchObject({ status: 'ok', withdrawn: 0, skipped: 1 });
    expect(await ids('all')).toContain(long);
  });

  it('takes no member from the selected set, also when its snapshot is resumed, until a snapshot without them', async () => {
    const { lists, ledger, clock, sync, ids, confirming, reopen } = await openScene();
    const set = await ids('selected');
    const whole = lists.selected;
    lists.selected = withIds(whole, [1]);
    Object.assign(ledger, { cursor: 'c2', failsAt: 4 });
    expect(await sync('selected')).toMatchObject({ status: 'failed' });
    await reopen();
    ledger.failsAt = -1;
    expect(await sync('selected')).toMatchObject({ status: 'ok', withdrawn: 0 });
    expect(await ids('selected')).toEqual(set);
    expect(await confirming('selected')).toMatchObject({ stored: 5, received: 4 });

    lists.selected = whole.slice(0, 4);
    clock.advance(DAY);
    await sync('selected');
    expect(await confirming('selected')).toBeNull();
    expect(await ids('selected')).toEqual(set.filter((id) => id !== 'selected-five'));
  });

  it('removes no model, keeps the other changes, and leaves no trace once it is whole', async () => {
    const { lists, sync, models, changes } = await openScene();
    const whole = lists.models;
    const cheaper = modelRecord('made/one', { pricing: { prompt: '0.0000001' } });
    lists.models = [cheaper, ...whole.slice(1, 3), { ...(whole[3] as Fields), id: 7 }, null];
    expect(await sync('models')).toMatchObject({ status: 'ok', revised: 1, withdrawn: 0, skipped: 2 });
    expect(models().sort()).toEqual(IDS.map((id) => `made/${id}`).sort());
    lists.models = [cheaper, ...whole.slice(1)];
    expect(await sync('models')).toMatchObject({ added: 0, withdrawn: 0, skipped: 0 });
    expect([...new Set(changes().flatMap((one) => one.changes.map(({ field }) => field)))]).toEqual(['price']);
    lists.models = whole.slice(1);
    expect(await sync('models')).toMatchObject({ withdrawn: 1 });
  });

  it.each([
    ['no record', null],
    ['of rank 77', { ...topic(77, 'two') }],
    ['without a title', { ...topic(2, 'two'), title: null }],
  ])('leaves a hot topic at its rank that is %s', async (_, broken) => {
    const { lists, sync, topics } = await openScene();
    const whole = lists.hot;
    lists.hot = whole.map((one, n) => (n === 1 ? broken : one));
    expect(await sync('hotTopics')).toMatchObject({ added: 0, withdrawn: 0, skipped: 1 });
    lists.hot = whole;
    await sync('hotTopics');
    expect(topics().map(({ rank, id, moved, history }) => [rank, id, moved, history.reentries])).toEqual(
      IDS.map((id, n) => [n + 1, id, null, 0]),
    );
    lists.hot = [...whole.slice(0, 2), broken];
    await sync('hotTopics');
    expect(topics().some(({ rank }) => rank > 10)).toBe(false);
  });
});

describe('a change that cannot be read', () => {
  it('is made up for by one snapshot, an hour later, because it is not sent again', async () => {
    const { lists, ledger, clock, sync, ids } = await openScene();
    const added = record('selected-six', clock.now());
    ledger.changes = [{ op: 'upsert', changedAt: added['discoveredAt']!, item: { ...added, title: null } }];
    lists.selected = [...lists.selected, added];
    const taken = ledger.snapshots;
    expect(await sync('selected', 'now')).toMatchObject({ skipped: 1 });
    ledger.changes = [];
    clock.advance(HOUR / 2);
    await sync('selected', 'now');
    expect(await ids('selected')).not.toContain('selected-six');
    expect(ledger.snapshots).toBe(taken);

    clock.advance(HOUR / 2);
    expect(await sync('selected', 'now')).toMatchObject({ status: 'ok', added: 1 });
    expect(await ids('selected')).toContain('selected-six');
    clock.advance(DAY);
    await sync('selected', 'now');
    expect(ledger.snapshots).toBe(taken + 1);
  });

  it('costs ever fewer snapshots while others follow, one a day in the end', async () => {
    const { ledger, clock, sync } = await openScene();
    ledger.changes = [{ op: 'upsert', changedAt: null, item: null }];
    const takenIn = async (hours: number): Promise<number> => {
      const before = ledger.snapshots;
      for (let n = 0; n < hours; n += 1) {
        clock.advance(HOUR);
        await sync('selected', 'now');
      }
      return ledger.snapshots - before;
    };
    const first = await takenIn(24);
    expect(first).toBeGreaterThan(2);
    await takenIn(24 * 6);
    expect(await takenIn(24 * 4)).toBeLessThanOrEqual(4);
  });
});
