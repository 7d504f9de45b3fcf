import { expect, it } from 'vitest';
import type { NoteKey } from '../../../src-main/contract/model/note.ts';
import { noteMethods } from '../../../src-main/sync/engine/user-data-methods.ts';
import { openTestStore } from '../../store/internals.ts';

const ITEM: NoteKey = { kind: 'item', id: 'item-1' };

it('tells of each change of a note, and of nothing else', () => {
  const store = openTestStore();
  const told: unknown[] = [];
  const methods = noteMethods({ store, emit: (event, payload) => told.push([event, payload]) });
  expect(methods['notes.set']({ ...ITEM, text: 'Mine' }).note).toMatchObject({ text: 'Mine' });
  methods['notes.set']({ ...ITEM, text: 'Mine' });
  methods['notes.set']({ ...ITEM, text: 'Of another service', service: 'https://other.example' });
  expect(methods['notes.remove'](ITEM).removed).toMatchObject({ text: 'Mine' });
  expect(methods['notes.remove'](ITEM).removed).toBeNull();
  expect(told).toEqual([
    ['notes.changed', { ...ITEM, noted: true }],
    ['notes.changed', { ...ITEM, noted: false }],
  ]);
});
