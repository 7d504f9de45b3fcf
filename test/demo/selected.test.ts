import { describe, expect, it } from 'vitest';
import type { ServedItem } from '../../src-main/demo/service.ts';
import { fakeClock } from '../support/clock.ts';
import { demo, wholeSnapshot } from './service.ts';
import type { Body } from './service.ts';

describe('GET /selected/snapshot', () => {
  it('serves the whole set once, ordered by id, under one cursor', async () => {
    const { get, service } = await demo({ content: { selected: 250 } });
    const { items, cursors } = await wholeSnapshot(get, 100);
    expect(items).toEqual(service.control.selectedItems());
    expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).sort());
    expect(items.length).toBe(250);
    expect(cursors.size).toBe(1);
  });

  it('has the watermark of the first page on every page, so that the changes include what happened meanwhile', async () => {
    const { get, service } = await demo();
    const first = (await get('/selected/snapshot?limit=20')).body;
    const added = service.control.addItem();
    const second = (await get(`/selected/snapshot?limit=20&page=${first.nextPage}`)).body;
    expect(second.cursor).toBe(first.cursor);
    const { changes } = (await get(`/selected/changes?cursor=${first.cursor}`)).body;
    expect(changes.map((change: Body) => change.item.id)).toEqual([added.id]);
  });

  it('leaves the reason out, and with fields=minimal the summary, original title and original link', async () => {
    const { get } = await demo();
    const [whole] = (await get('/selected/snapshot?limit=1')).body.items as [Body];
    const [minimal] = (await get('/selected/snapshot?limit=1&fields=minimal')).body.items;
    expect(whole).not.toHaveProperty('reason');
    const { summary: _, originalTitle: __, ...rest } = whole;
    expect(minimal).toEqual({ ...rest, links: { aihot: whole.links.aihot } });
  });

  it.each(['limit=0', 'limit=1001', 'fields=all', 'page=', 'cursor=x', 'limit=5&limit=5'])(
    'refuses ?%s: 400 invalid_request',
    async (query) => {
      const { get } = await demo();
      const { status, body } = await get(`/selected/snapshot?${query}`);
      expect([status, body.code]).toEqual([400, 'invalid_request']);
    },
  );

  it('answers 409 snapshot_required to a foreign and to a stale page token', async () => {
    const { get, service } = await demo();
    const { nextPage, cursor } = (await get('/selected/snapshot?limit=5')).body;
    for (const page of ['nonsense', cursor]) {
      const { status, body } = await get(`/selected/snapshot?page=${page}`);
      expect([status, body.code]).toEqual([409, 'snapshot_required']);
    }
    service.control.requireSnapshot();
    expect((await get(`/selected/snapshot?page=${nextPage}`)).status).toBe(409);
  });
});

describe('GET /selected/changes', () => {
  it.each(['', '?cursor=nonsense', '?limit=5'])('answers 409 snapshot_required to %j', async (query) => {
    const { get } = await demo();
    const { status, body } = await get(`/selected/changes${query}`);
    expect([status, body.code]).toEqual([409, 'snapshot_required']);
  });

  it.each(['limit=0', 'limit=101', 'limit=', 'fields=minimal'])('refuses ?%s: 400 invalid_request', async (query) => {
    const { get } = await demo();
    const { cursor } = (await get('/selected/snapshot?limit=1')).body;
    expect((await get(`/selected/changes?cursor=${cursor}&${query}`)).body.code).toBe('invalid_request');
  });

  it('is idle with count 0 and the same cursor, then with 304', async () => {
    const { get } = await demo();
    const { cursor } = (await get('/selected/snapshot?limit=1')).body;
    const idle = await get(`/selected/changes?cursor=${cursor}`);
    expect(idle.body).toEqual({ fields: 'default', cursor, count: 0, hasMore: false, changes: [] });
    const headers = { 'if-none-match': idle.headers.get('etag') ?? '' };
    expect((await get(`/selected/changes?cursor=${cursor}`, { headers })).status).toBe(304);
  });

  it('has additions, edits, removals and returns in order, page by page', async () => {
    const { get, service } = await demo();
    const { control } = service;
    let { cursor } = (await get('/selected/snapshot?limit=1')).body;
    const [edited, removed, back] = control.selectedItems() as [ServedItem, ServedItem, ServedItem];
    const added = control.addItem({ title: 'Added' });
    control.editItem(edited.id, { title: 'Edited' });
    control.withdraw(removed.id);
    control.withdraw(back.id);
    control.restore(back.id);
    const received: [string, string][] = [];
    for (let hasMore = true; hasMore;) {
      const { body } = await get(`/selected/changes?limit=2&cursor=${cursor}`);
      received.push(...body.changes.map(({ op, id, item }): [string, string] => [op, op === 'remove' ? id : item.id]));
      ({ cursor, hasMore } = body);
    }
    expect(received).toEqual([
      ['upsert', added.id],
      ['upsert', edited.id],
      ['remove', removed.id],
      ['remove', back.id],
      ['upsert', back.id],
    ]);
  });

  it('sends an item as it is now; one that was removed later is sent as a removal twice', async () => {
    const { get, service } = await demo();
    const { cursor } = (await get('/selected/snapshot?limit=1')).body;
    const { id } = service.control.addItem();
    service.control.withdraw(id);
    const { changes } = (await get(`/selected/changes?cursor=${cursor}`)).body;
    expect(changes.map((change: Body) => [change.op, change.id])).toEqual([
      ['remove', id],
      ['remove', id],
    ]);
  });

  it('has repeated removals, and of ids that were never held', async () => {
    const { get, service } = await demo();
    const { cursor } = (await get('/selected/snapshot?limit=1')).body;
    const id = service.control.selectedItems()[0]?.id ?? '';
    for (const gone of [id, id, 'never-held']) service.control.withdraw(gone);
    const { changes } = (await get(`/selected/changes?cursor=${cursor}`)).body;
    expect(changes.map((change: Body) => change.id)).toEqual([id, id, 'never-held']);
  });

  it('has no reason in an upsert', async () => {
    const { get, service } = await demo();
    const { cursor } = (await get('/selected/snapshot?limit=1')).body;
    expect(service.control.addItem({ reason: 'Because' }).reason).toBe('Because');
    expect((await get(`/selected/changes?cursor=${cursor}`)).body.changes[0]?.item).not.toHaveProperty('reason');
  });

  it('answers 409 to every cursor given before a snapshot was required, with what was dropped silently gone', async () => {
    const { get, service } = await demo();
    const { cursor } = (await get('/selected/snapshot?limit=1')).body;
    const id = service.control.selectedItems()[0]?.id ?? '';
    service.control.dropSilently(id);
    expect((await get(`/selected/changes?cursor=${cursor}`)).body.count).toBe(0);
    service.control.requireSnapshot();
    expect((await get(`/selected/changes?cursor=${cursor}`)).body.code).toBe('snapshot_required');
    const again = await wholeSnapshot(get, 1000);
    expect(again.items.map((item) => item.id)).not.toContain(id);
    expect((await get(`/selected/changes?cursor=${again.cursor}`)).status).toBe(200);
  });

  it('continues over a restart in the same month and asks for a snapshot in the next', async () => {
    const clock = fakeClock('2026-03-18T06:30:00Z');
    const { cursor } = (await (await demo({ content: 'living', clock })).get('/selected/snapshot?limit=1')).body;
    clock.advance(2 * 3_600_000);
    const resumed = await (await demo({ content: 'living', clock })).get(`/selected/changes?cursor=${cursor}`);
    expect(resumed.status).toBe(200);
    expect(resumed.body.count).toBeGreaterThan(0);
    const later = fakeClock('2026-04-02T00:00:00Z');
    expect(
      (await (await demo({ content: 'living', clock: later })).get(`/selected/changes?cursor=${cursor}`)).status,
    ).toBe(409);
  });
});
