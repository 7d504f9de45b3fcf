import { describe, expect, it } from 'vitest';
import { EVERYTHING, SELECTED, expectEqualSets, rowsOf } from '../../support/selected-set.ts';
import { openTestApp, saveApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Some of them are older than the item list goes back. */
const CONTENT = { selected: 200, unselected: 40, days: 30 };
const FOR_EVER = 1_000_000;

const sync = async ({ call }: TestApp, urgency: 'due' | 'now' = 'now') =>
  (await call('sync.run', { urgency, resources: ['items', 'selected'] })).resources;
const statusOf = async ({ call }: TestApp, resource: 'selected' | 'items') =>
  (await call('sync.status', {})).resources.find(({ name }) => name === resource)!;
const confirmingOf = async (app: TestApp) => (await statusOf(app, 'selected')).confirming;
const snapshotsOf = ({ service }: TestApp): number =>
  service.requests.filter(({ path }) => path.endsWith('/selected/snapshot')).length;
const idsOf = async (app: TestApp, query = SELECTED) => (await rowsOf(app, query)).map(({ id }) => id);
const daysOf = ({ clock }: TestApp, { discoveredAt }: { discoveredAt: string }): number =>
  (clock.now() - Date.parse(discoveredAt)) / DAY;

/** A change at the service between the syncs of the scene. */
function edit(app: TestApp): void {
  app.service.control.editItem(app.service.control.selectedItems()[0]!.id, { title: 'Another title' });
  app.clock.advance(5 * MINUTE);
}

/** A synced app: members have reasons, a revision, read and starred ones. */
async function fill(app: TestApp): Promise<void> {
  await sync(app);
  const [a, b, c] = app.service.control.selectedItems();
  edit(app);
  await sync(app);
  await app.call('items.mark', { ids: [a!.id, b!.id], mark: 'read' });
  await app.call('items.mark', { ids: [b!.id, c!.id], mark: 'star' });
  await app.call('visits.end', {});
}

const savedApp = saveApp({ content: CONTENT }, fill);

async function openScene(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await savedApp(options);
  edit(app);
  return app;
}

/** Everything that a reader sees of the selected set, in its order, and its numbers. */
async function shown(app: TestApp) {
  const rows = await rowsOf(app, SELECTED);
  const { selected, all, starred, categories } = await app.call('counts.get', {});
  return { rows, selected, all, starred, categories };
}

/** A 409, and then snapshots with a part of the set. */
function rebuildLedger({ service: { control } }: TestApp, share: number): void {
  control.requireSnapshot();
  control.shrinkSnapshots(share, FOR_EVER);
}

/** A synced app, whose service then has a part of the set only. */
async function openRebuilt(share: number): Promise<TestApp> {
  const app = await openScene();
  rebuildLedger(app, share);
  app.clock.advance(5 * MINUTE);
  await sync(app);
  return app;
}

describe('a snapshot that lacks more than a fifth of the selected set', () => {
  it.each(['with the same ledger', 'with another 409'])(
    'changes nothing that a reader sees, though it is repeated for 23 minutes, and everything comes back whole %s',
    async (how) => {
      const app = await openScene();
      const before = await shown(app);
      expect(before.rows.some(({ reason }) => reason !== null)).toBe(true);
      expect(before.rows.some(({ revisedAt }) => revisedAt !== null)).toBe(true);
      rebuildLedger(app, 0);
      app.clock.advance(5 * MINUTE);
      const since = new Date(app.clock.now()).toISOString();
      for (let minutes = 0; minutes < 23; minutes += 11) {
        expect(await sync(app)).toMatchObject({ selected: { withdrawn: 0 }, items: { withdrawn: 0 } });
        expect(await shown(app)).toEqual(before);
        expect(await confirmingOf(app)).toEqual({ since, stored: 200, received: 0, acceptable: true });
        await app.reopen();
        expect(await confirmingOf(app)).toEqual({ since, stored: 200, received: 0, acceptable: true });
        app.clock.advance(11 * MINUTE);
      }
      const { control } = app.service;
      control.shrinkSnapshots(1);
      if (how === 'with another 409') control.requireSnapshot();
      else app.clock.advance(HOUR);
      await sync(app);
      expect(await confirmingOf(app)).toBeNull();
      expect(await shown(app)).toEqual(before);
      expect(await app.call('visits.sinceLast', {})).toMatchObject({ added: 0, withdrawn: 0 });
      await expectEqualSets(app, control);
    },
  );

  it('is not confirmed by the same 409 twice, by another size, or by a week', async () => {
    const app = await openScene();
    for (const share of [0, 0, 0.5, 0.1]) {
      rebuildLedger(app, share);
      app.clock.advance(20 * MINUTE);
      await sync(app);
      expect(await idsOf(app)).toHaveLength(200);
    }
    const before = snapshotsOf(app);
    for (let hours = 0; hours < 7 * 24; hours += 8) {
      app.clock.advance(8 * HOUR);
      await sync(app);
    }
    expect(await idsOf(app)).toHaveLength(200);
    expect(await confirmingOf(app)).toMatchObject({ stored: 200, received: 20 });
    // Asked again ever less often, but each day.
    expect(snapshotsOf(app) - before).toBeGreaterThanOrEqual(7);
    expect(snapshotsOf(app) - before).toBeLessThanOrEqual(10);
  });

  it('is followed: later changes are applied, and a removal takes its item out of the set', async () => {
    const app = await openRebuilt(0);
    const { control } = app.service;
    const before = snapshotsOf(app);
    const added = control.addItem({ title: 'Just in' });
    const [left, gone] = control.selectedItems().filter((item) => daysOf(app, item) < 6);
    control.leaveSet(left!.id);
    control.withdraw(gone!.id);
    app.clock.advance(5 * MINUTE);
    await sync(app);
    const ids = await idsOf(app);
    expect(ids).toContain(added.id);
    expect(ids).toHaveLength(199);
    expect(await app.call('items.get', { id: left!.id })).toMatchObject({ inSelectedSet: false });
    expect(await app.reply('items.get', { id: gone!.id })).toMatchObject({ error: { code: 'not_found' } });
    expect(await confirmingOf(app)).toMatchObject({ stored: 200, received: 2 });
    expect(snapshotsOf(app)).toBe(before);
  });

  it('is taken again at once if the changes bring one of its missing members', async () => {
    const app = await openRebuilt(0);
    const { control } = app.service;
    app.clock.advance(2 * DAY);
    await sync(app);
    control.shrinkSnapshots(1);
    const { id } = control.selectedItems()[7]!;
    control.editItem(id, { title: 'Still here' });
    app.clock.advance(5 * MINUTE);
    await sync(app);
    expect(await confirmingOf(app)).toBeNull();
    await expectEqualSets(app, control);
  });

  it('is not asked for with every change that contradicts it', async () => {
    const app = await openRebuilt(0);
    const { control } = app.service;
    const before = snapshotsOf(app);
    const members = control.selectedItems();
    for (let n = 0; n < 12; n += 1) {
      control.editItem(members[n]!.id, { title: `Edited ${n}` });
      app.clock.advance(5 * MINUTE);
      await sync(app);
    }
    expect(snapshotsOf(app) - before).toBeLessThanOrEqual(4);
    expect(await idsOf(app)).toHaveLength(200);
  });

  it('is applied if the reader accepts it', async () => {
    const app = await openRebuilt(0.5);
    const { control } = app.service;
    await app.call('sync.accept', { resource: 'selected' });
    expect(await confirmingOf(app)).toBeNull();
    expect(await idsOf(app)).toHaveLength(100);
    expect((await app.call('counts.get', {})).selected.total).toBe(100);
    const before = snapshotsOf(app);
    // Items that the list still has stay among all items.
    app.clock.advance(5 * MINUTE);
    await sync(app);
    const listed = control.selectedItems().filter((item) => daysOf(app, item) < 6);
    expect(await idsOf(app, EVERYTHING)).toEqual(expect.arrayContaining(listed.map(({ id }) => id)));
    app.clock.advance(3 * DAY);
    await sync(app);
    // The list still marks the others as selected.
    expect(snapshotsOf(app)).toBe(before + 1);
    await app.call('sync.accept', { resource: 'selected' });
    expect(await idsOf(app)).toHaveLength(100);
  });

  it('keeps the cursor while it is checked: a snapshot that fails halfway stops no changes', async () => {
    let [failing, failed] = [false, 0];
    const app = await openTestApp({
      content: { ...CONTENT, selected: 1100 },
      intercept: ({ url = '' }, response) => {
        if (!failing || !url.includes('page=')) return false;
        failed += 1;
        response.writeHead(500).end();
        return true;
      },
    });
    await fill(app);
    const { control } = app.service;
    rebuildLedger(app, 0);
    app.clock.advance(5 * MINUTE);
    await sync(app);
    control.shrinkSnapshots(1);
    failing = true;
    app.clock.advance(HOUR);
    expect(await sync(app)).toMatchObject({ selected: { status: 'ok', skipped: 1 } });
    const before = failed;
    // By id, as in a snapshot: those of the page that fails are still lacking.
    const members = control.selectedItems().toSorted((a, b) => (a.id < b.id ? 1 : -1));
    for (let n = 0; n < 3; n += 1) {
      const [edited, removed] = members.slice(2 * n);
      control.editItem(edited!.id, { title: `Edited ${n}` });
      control.leaveSet(removed!.id);
      app.clock.advance(5 * MINUTE);
      expect(await sync(app)).toMatchObject({ selected: { status: 'ok' } });
      expect(await app.call('items.get', { id: edited!.id })).toMatchObject({ title: `Edited ${n}` });
      expect(await idsOf(app)).not.toContain(removed!.id);
    }
    // Each change contradicted it, and still it was not asked for again and again.
    expect(failed - before).toBeLessThanOrEqual(2);
    failing = false;
    app.clock.advance(DAY);
    await sync(app);
    expect(await confirmingOf(app)).toBeNull();
    await expectEqualSets(app, control);
  });
});

describe('a set with much less than the list of all items marks as selected', () => {
  it.each([0, 0.1])('is asked for again after a first snapshot with %d of it, until both agree', async (share) => {
    const app = await openTestApp({ content: CONTENT, folder: 'temporary' });
    const { control } = app.service;
    control.shrinkSnapshots(share, FOR_EVER);
    await sync(app);
    expect(await idsOf(app)).toHaveLength(200 * share);
    const since = new Date(app.clock.now()).toISOString();
    await app.reopen();
    const confirming = await confirmingOf(app);
    expect(confirming).toMatchObject({ since, of: 'marked' });
    expect(confirming!.received).toBeLessThan(confirming!.stored / 2);
    expect(confirming!.acceptable).toBeUndefined();
    for (let hours = 0; hours < 24; hours += 1) {
      app.clock.advance(HOUR);
      await sync(app);
    }
    // After 1, 4 and 16 hours.
    expect(snapshotsOf(app)).toBe(4);
    control.shrinkSnapshots(1);
    app.clock.advance(DAY);
    await sync(app);
    await expectEqualSets(app, control);
    expect(await confirmingOf(app)).toBeNull();
    const done = snapshotsOf(app);
    app.clock.advance(3 * DAY);
    await sync(app);
    expect(snapshotsOf(app)).toBe(done);
  });

  it('is asked for again after the reader accepted an empty one', async () => {
    const app = await openScene();
    const { control } = app.service;
    rebuildLedger(app, 0);
    app.clock.advance(5 * MINUTE);
    await sync(app);
    await app.call('sync.accept', { resource: 'selected' });
    expect(await idsOf(app)).toEqual([]);
    app.clock.advance(5 * MINUTE);
    await sync(app);
    control.shrinkSnapshots(1);
    app.clock.advance(2 * HOUR);
    await sync(app);
    await expectEqualSets(app, control);
  });
});

describe('a snapshot that lacks less than a fifth of the selected set', () => {
  it('is applied at once, and what it lacked comes back whole if a later one has it', async () => {
    const app = await openScene();
    const { control } = app.service;
    const before = await shown(app);
    rebuildLedger(app, 0.9);
    app.clock.advance(5 * MINUTE);
    expect(await sync(app)).toMatchObject({ selected: { withdrawn: 0 } });
    expect(await idsOf(app)).toHaveLength(180);
    expect(await confirmingOf(app)).toBeNull();
    control.shrinkSnapshots(1);
    app.clock.advance(HOUR);
    await sync(app);
    expect(await shown(app)).toEqual(before);
    expect(await app.call('visits.sinceLast', {})).toMatchObject({ added: 0, withdrawn: 0 });
    const done = snapshotsOf(app);
    app.clock.advance(2 * DAY);
    await sync(app);
    expect(snapshotsOf(app)).toBe(done);
  });

  it('takes the texts of what it lacked only once a snapshot of another day lacks it, too', async () => {
    const app = await openScene();
    const { control } = app.service;
    const members = control.selectedItems();
    const old = members.filter((item) => daysOf(app, item) > 8).slice(5, 10);
    const kept = old[0]!;
    await app.call('items.mark', { ids: [kept.id], mark: 'star' });
    for (const { id } of old) control.dropSilently(id);
    control.requireSnapshot();
    app.clock.advance(5 * MINUTE);
    await sync(app);
    await expectEqualSets(app, control);
    const all = await idsOf(app, EVERYTHING);
    expect(all).toEqual(expect.arrayContaining(old.map(({ id }) => id)));
    for (let hours = 0; hours < 48; hours += 4) {
      app.clock.advance(4 * HOUR);
      await sync(app);
    }
    const left = (await idsOf(app, EVERYTHING)).filter((id) => old.some((item) => item.id === id));
    expect(left).toEqual([kept.id]);
    await expectEqualSets(app, control);
  });
});

describe('what a snapshot lacked, while no other one can be read', () => {
  it.each([0, 0.9])('stays however long that takes (%d of the set came)', async (share) => {
    let [failing, failed] = [false, 0];
    const app = await openScene({
      intercept: ({ url = '' }, response) => {
        if (!failing || !url.includes('/selected/snapshot')) return false;
        failed += 1;
        response.writeHead(500).end();
        return true;
      },
    });
    rebuildLedger(app, share);
    app.clock.advance(5 * MINUTE);
    await sync(app);
    const [selected, all] = [await idsOf(app), await idsOf(app, EVERYTHING)];
    failing = true;
    for (let hours = 0; hours < 12; hours += 1) {
      app.clock.advance(HOUR);
      await sync(app);
    }
    // After 1 and 4 hours.
    expect(failed).toBe(2);
    for (let days = 0; days < 10; days += 1) {
      app.clock.advance(DAY);
      expect(await sync(app)).toMatchObject({ selected: { withdrawn: 0 }, items: { withdrawn: 0 } });
    }
    expect(await idsOf(app)).toEqual(selected);
    expect(await idsOf(app, EVERYTHING)).toEqual(all);
  });
});

describe('changes that can never be read', () => {
  type Break = [string, status: number, type: string, body: string];
  const BREAKS: Break[] = [
    ['invalid_cursor', 400, 'application/problem+json', '{"status":400,"code":"invalid_cursor"}'],
    ['a 500', 500, 'text/plain', 'Internal error'],
    ['broken JSON', 200, 'application/json', '{"changes": ['],
    ['another type', 200, 'application/octet-stream', 'x'],
  ];

  async function openBroken([, status, type, body]: Break, isBroken: (cursor: string) => boolean): Promise<TestApp> {
    return openScene({
      intercept: ({ url = '' }, response) => {
        const { pathname, searchParams } = new URL(url, 'http://localhost');
        if (!pathname.endsWith('/changes') || !isBroken(searchParams.get('cursor') ?? '')) return false;
        response.writeHead(status, { 'content-type': type }).end(body);
        return true;
      },
    });
  }

  it.each(BREAKS)('from one cursor on (%s) are replaced by a snapshot', async (...broken) => {
    let bad: string | null = null;
    let last = '';
    const app = await openBroken(broken, (cursor) => {
      last = cursor;
      return cursor === bad;
    });
    const { control } = app.service;
    await sync(app);
    bad = last;
    const [edited, removed] = control.selectedItems();
    control.editItem(edited!.id, { title: 'Edited' });
    control.leaveSet(removed!.id);
    control.addItem({ title: 'Just in' });
    const before = snapshotsOf(app);
    for (const minutes of [5, 1]) {
      app.clock.advance(minutes * MINUTE);
      expect(await sync(app)).toMatchObject({ selected: { status: 'failed' } });
    }
    expect(snapshotsOf(app)).toBe(before);
    expect(await idsOf(app)).toHaveLength(200);
    app.clock.advance(2 * MINUTE);
    expect(await sync(app)).toMatchObject({ selected: { status: 'ok' } });
    await expectEqualSets(app, control);
    expect((await statusOf(app, 'selected')).error).toBeNull();
  });

  it('from any cursor cost a snapshot a day at most, and the set stays up to date', async () => {
    let isBroken = false;
    const app = await openBroken(BREAKS[0]!, () => isBroken);
    const { control } = app.service;
    isBroken = true;
    const before = snapshotsOf(app);
    const days: number[] = [];
    for (let hours = 2; hours <= 5 * 24; hours += 2) {
      app.clock.advance(2 * HOUR);
      await sync(app);
      if (hours % 24 === 0) days.push(snapshotsOf(app) - before);
    }
    // Often at first, and then once a day.
    expect(days[2]).toBeLessThanOrEqual(10);
    expect(days[4]! - days[2]!).toBeLessThanOrEqual(2);
    control.editItem(control.selectedItems()[0]!.id, { title: 'Edited' });
    app.clock.advance(DAY);
    await sync(app);
    await expectEqualSets(app, control);
  });

  it.each([401, 403, 429, 503])('because of a %d are no reason for a snapshot', async (status) => {
    let isBroken = false;
    const app = await openBroken(['', status, 'application/problem+json', `{"status":${status}}`], () => isBroken);
    isBroken = true;
    const before = snapshotsOf(app);
    for (let n = 0; n < 6; n += 1) {
      app.clock.advance(HOUR);
      await sync(app);
    }
    expect(snapshotsOf(app)).toBe(before);
  });
});
