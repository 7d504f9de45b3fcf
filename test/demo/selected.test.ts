import { describe, expect, it } from 'vitest';
import type { ServedItem } from '../../src-main/demo/service.ts';
import { demo } from './service.ts';
import type { Body } from './service.ts';

describe('GET /selected/snapshot', () => {
  it('has the watermark of the first page on every page, so that the changes include what happened meanwhile', async () => {
    const { get, service } = await demo();
    const first = (await get('/selected/snapshot?limit=20')).body;
    const added = service.control.addItem();
    const second = (await get(`/selected/snapshot?limit=20&page=${first.nextPage}`)).body;
    expect(second.cursor).toBe(first.cursor);
    const { changes } = (await get(`/selected/changes?cursor=${first.cursor}`)).body;
    expect(changes.map((change: Body) => change.item.id)).toEqual([added.id]);
  });

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
});
