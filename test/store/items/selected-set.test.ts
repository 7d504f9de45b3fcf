import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folders.ts';
import { item, items } from '../../support/items.ts';
import { EVERYTHING, idsOf, openStore, openWriter, SELECTED, storeListed, storeSnapshot } from '../../support/store.ts';

const OPEN = { generation: 1, cursor: 'watermark', nextPage: 'page-2', stored: 2 };
const MEMBERS = { ...EVERYTHING, scope: 'selected' as const };

describe('the selected set', () => {
  it('begins with nothing: no cursor, no snapshot, not whole', () => {
    const { selectedSet } = openWriter();
    expect(selectedSet).toMatchObject({ cursor: null, openSnapshot: null, generation: 0, complete: false });
    expect(selectedSet.nextGeneration()).toBe(1);
  });

  it('goes on with a snapshot where a restart cut it short', () => {
    const folder = temporaryFolder();
    const first = openWriter({ folder });
    first.write((write) => {
      write.upsertAll(items(2), SELECTED);
      write.selectedSet.saveSnapshot(OPEN);
    });
    first.close();
    const { selectedSet } = openWriter({ folder });
    expect(selectedSet).toMatchObject({ openSnapshot: OPEN, complete: false, cursor: null });
  });

  it('lands with its page or not at all', () => {
    const { writer, reader } = openStore();
    expect(() =>
      writer.write((write) => {
        write.upsertAll(items(2), SELECTED);
        write.selectedSet.finishSnapshot(1, 'watermark');
        throw new Error('cut short');
      }),
    ).toThrow('cut short');
    expect(writer.selectedSet).toMatchObject({ cursor: null, complete: false });
    expect(idsOf(reader)).toEqual([]);
  });

  it('loses with the last page of a snapshot those whom none of its pages named', () => {
    const { writer, reader } = openStore();
    storeListed(writer, [item({ id: 'never a member' })]);
    storeSnapshot(writer, items(4));
    const generation = writer.selectedSet.nextGeneration();
    expect(generation).toBe(2);
    writer.write((write) => {
      write.upsertAll(items(2), { kind: 'selected', generation });
      write.selectedSet.saveSnapshot({ ...OPEN, generation });
    });
    expect(idsOf(reader, MEMBERS)).toHaveLength(4);
    const summary = writer.write((write) => {
      write.keepMember('item-2', generation);
      write.keepMember('never a member', generation);
      write.keepMember('not stored', generation);
      write.sweepBefore(generation);
      write.selectedSet.finishSnapshot(generation, 'watermark');
    });
    expect(summary).toMatchObject({ withdrawn: 1, ids: ['item-3'] });
    expect(idsOf(reader, MEMBERS)).toEqual(['item-0', 'item-1', 'item-2']);
    expect(reader.item('never a member').inSelectedSet).toBe(false);
  });

  it('begins a dropped snapshot again under a number that no row carries', () => {
    const { writer } = openStore();
    writer.write((write) => {
      write.upsertAll(items(2), SELECTED);
      write.selectedSet.saveSnapshot(OPEN);
      write.selectedSet.dropSnapshot();
    });
    expect(writer.selectedSet.openSnapshot).toBeNull();
    expect(writer.selectedSet.nextGeneration()).toBe(2);
  });

  it('stands, without a cursor, until a new snapshot is whole', () => {
    const { writer, reader } = openStore();
    storeSnapshot(writer, items(2), 'old');
    writer.write((write) => {
      write.selectedSet.advance('newer');
    });
    expect(writer.selectedSet.cursor).toBe('newer');
    writer.write((write) => {
      write.selectedSet.requireSnapshot();
    });
    expect(writer.selectedSet).toMatchObject({ cursor: null, complete: true });
    expect(idsOf(reader, MEMBERS)).toHaveLength(2);
  });
});
