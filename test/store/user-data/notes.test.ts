import { expect, it, describe } from 'vitest';
import type { NoteKey } from '../../../src-main/contract/model/note.ts';
import { BroadsheetError } from '../../../src-main/contract/errors.ts';
import { readExported, type Store } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item, items } from '../../support/items.ts';
import { daily } from '../../support/reports.ts';
import { openStoreScene, removeMirror, SOURCE, storeListed } from '../../support/store.ts';
import { saveStory, storyOf } from '../../support/stories.ts';
import { notesOf } from '../../support/user-data.ts';

const ITEM: NoteKey = { kind: 'item', id: 'item-1' };
const DAILY: NoteKey = { kind: 'report', id: 'daily/2026-03-18' };

const write = (store: Store, key: NoteKey, text: string, service?: string) =>
  store.transaction(({ notes, now }) => notes.set(key, text, { now, ...(service !== undefined && { service }) }));
const textOf = (store: Store, key: NoteKey): string | undefined => store.queries.notes.get(key).note?.text;

function fill(store: Store, count: number, text: string): void {
  const ids = Array.from({ length: count }, (_, at) => `item-${at + 1}`);
  const { records } = readExported(notesOf(SOURCE, ids, text), Date.now());
  store.transaction(({ userData }) => userData.take(records));
}

describe('a note', () => {
  it('is saved, changed and removed, with its times', () => {
    const { store, clock } = openStoreScene();
    const began = new Date(clock.now()).toISOString();
    expect(write(store, ITEM, 'One\r\ntwo  \n').changed).toBe(true);
    clock.advance(60_000);
    expect(write(store, ITEM, 'One\ntwo').changed).toBe(false);
    write(store, ITEM, '<b>Three</b>\0');
    expect(store.queries.notes.get(ITEM).note).toEqual({
      ...ITEM,
      text: '<b>Three</b>',
      createdAt: began,
      changedAt: new Date(clock.now()).toISOString(),
    });
    expect(store.queries.notes.hasNote(ITEM)).toBe(true);
    expect(write(store, ITEM, ' \n ')).toEqual({ note: null, changed: true });
    expect(store.queries.notes.hasNote(ITEM)).toBe(false);
  });

  it('keeps title and address of what a new mirror lacks, also when it is changed', () => {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    storeListed(store, items(2));
    const links = { aihot: 'https://aihot.example/s/a' };
    saveStory(store, storyOf('a', [], { title: 'Chips', links }));
    store.transaction(({ reports, now }) => {
      const body = daily({}, { label: '2026-03-18', headline: 'The day' });
      reports.list([{ ...body, extra: {} }]);
      reports.store(body, now);
    });
    const keys: NoteKey[] = [ITEM, { kind: 'story', id: 'a' }, DAILY];
    for (const key of keys) write(store, key, 'Mine');
    const named = store.queries.notes.list(10, 0).notes.map(({ title, link }) => [title, link]);
    expect(named.map(([title]) => title)).toEqual(['Title of item-1', 'The day', 'Chips']);
    expect(named.map(([, link]) => link)).not.toContain(null);
    store.close();
    removeMirror(folder);
    const again = openStoreScene({ folder });
    expect(again.store.queries.notes.list(10, 0).notes.map(({ title, link }) => [title, link])).toEqual(named);
    for (const key of keys) write(again.store, key, 'Changed');
    expect(again.store.queries.notes.list(10, 0).notes.map(({ title, link }) => [title, link])).toEqual(named);
    // A renamed item has its present name.
    storeListed(again.store, [item({ id: 'item-1', title: 'Another title' })]);
    expect(again.store.queries.notes.list(1, 0).notes).toMatchObject([{ title: 'Another title' }]);
  });

  it('does not take the name of what another service has by the same id', () => {
    const { store } = openStoreScene();
    storeListed(store, items(2));
    write(store, ITEM, 'There', 'https://other.example');
    expect(store.queries.userData.records()).toMatchObject([{ value: { title: '', link: null } }]);
  });

  it('belongs to the service that it was begun with', () => {
    const folder = temporaryFolder();
    const { store } = openStoreScene({ folder });
    const { service } = store.queries.notes.get(ITEM);
    write(store, ITEM, 'Here');
    write(store, ITEM, 'There', 'https://other.example');
    expect(textOf(store, ITEM)).toBe('Here');
    store.close();
    const other = openStoreScene({ folder, source: 'https://other.example' });
    expect(textOf(other.store, ITEM)).toBe('There');
    write(other.store, ITEM, 'Changed', service);
    expect(textOf(other.store, ITEM)).toBe('There');
  });

  it('about a merged story moves to the survivor, joined to the one that is there', () => {
    const { store } = openStoreScene();
    write(store, { kind: 'story', id: 'old' }, 'Old');
    write(store, { kind: 'story', id: 'new' }, 'New');
    store.transaction(({ stories }) => {
      stories.merge('old', 'new');
    });
    expect(textOf(store, { kind: 'story', id: 'new' })).toBe('New\n\nOld');
    // An open page may still know the old id.
    expect(textOf(store, { kind: 'story', id: 'old' })).toBe('New\n\nOld');
    expect(store.queries.notes.keys()).toEqual([{ kind: 'story', id: 'new' }]);
  });

  it('is refused when there are too many, but those that are there can be changed', () => {
    const { store } = openStoreScene();
    fill(store, 10_000, 'x');
    expect(() => write(store, { kind: 'item', id: 'one more' }, 'No')).toThrow(BroadsheetError);
    expect(write(store, ITEM, 'Changed').changed).toBe(true);
    expect(store.queries.notes.list(500, 9_900).notes).toHaveLength(100);
  });
});

describe('the notes', () => {
  it('are listed by their last change, with what they are about', () => {
    const { store, clock } = openStoreScene();
    storeListed(store, items(3));
    for (const id of ['item-0', 'item-2', 'item-1']) {
      write(store, { kind: 'item', id }, `About ${id} ${'and more '.repeat(60)}`);
      clock.advance(1_000);
    }
    write(store, DAILY, 'A day');
    write(store, { kind: 'item', id: 'item-0' }, 'Changed');
    const { notes, total } = store.queries.notes.list(3, 0);
    expect(total).toBe(4);
    expect(notes.map(({ id, cut }) => [id, cut])).toEqual([
      ['item-0', false],
      ['daily/2026-03-18', false],
      ['item-1', true],
    ]);
    expect(store.queries.notes.list(3, 3).notes.map(({ id }) => id)).toEqual(['item-2']);
  });
});
