import { BroadsheetError } from '../../contract/errors.ts';
import {
  cleanNote,
  isNoteKey,
  LONGEST_NOTE,
  MOST_NOTES,
  NOTE_KINDS,
  type Note,
  type NoteKey,
} from '../../contract/model/note.ts';
import { choice, command, listCommand, text } from '../command.ts';
import { UsageError } from '../shell.ts';
import { bold, dim, line, localTime, severalLines } from '../terminal-text.ts';
import { listOptions } from './list-options.ts';

/** The limit of one call. */
const PAGE_SIZE = 500;
const key = {
  kind: choice('what it is about', NOTE_KINDS),
  id: text('its id; for a report, kind and label: daily/2026-11-20', 512),
};

export const NOTE_COMMANDS = {
  'list notes': listCommand({
    needs: 'reads',
    options: listOptions(),
    async *run({ limit = MOST_NOTES }, { call }) {
      for (let read = 0; read < limit; read += PAGE_SIZE) {
        const wanted = Math.min(PAGE_SIZE, limit - read);
        const { notes } = await call('notes.list', { limit: wanted, offset: read });
        for (const { excerpt, cut, ...note } of notes) {
          const whole = cut ? (await call('notes.get', { kind: note.kind, id: note.id })).note : null;
          yield { ...note, text: whole?.text ?? excerpt };
        }
        if (notes.length < wanted) return;
      }
    },
    text: ({ kind, id, title, text, changedAt }) =>
      line`${dim(localTime(changedAt))} ${title === '' ? '' : line`${bold(title)}: `}${text} ${dim(`[${kind} ${id}]`)}`,
    empty: 'No notes yet.',
  }),
  'note get': command({
    about: 'show a note',
    needs: 'reads',
    args: key,
    prepare: checkKey,
    run: async (given, { call }): Promise<Note> => {
      const { note } = await call('notes.get', given);
      if (note) return note;
      throw new BroadsheetError('not_found', `There is no note about this ${given.kind}.`);
    },
    text: ({ text }) => severalLines(text),
  }),
  'note set': command({
    about: 'write a note, in place of the one that is there',
    needs: 'writes',
    args: { ...key, text: text('plain text, up to 20,000 characters', LONGEST_NOTE) },
    prepare: (given) => {
      checkKey(given);
      if (cleanNote(given.text).trim() === '') throw new UsageError('the text is empty; `note remove` removes a note');
    },
    run: async (given, { call }) => {
      const { ids } = given.kind === 'item' ? await call('items.unknown', { ids: [given.id] }) : { ids: [] };
      if (ids.length > 0) throw new BroadsheetError('not_found', `Not saved here: ${given.id}.`);
      return (await call('notes.set', given)).note;
    },
    text: () => 'Note saved',
  }),
  'note remove': command({
    about: 'remove a note',
    needs: 'writes',
    args: key,
    prepare: checkKey,
    run: (given, { call }) => call('notes.remove', given),
    text: ({ removed }) => (removed ? 'Note removed' : 'There was no note'),
  }),
};

function checkKey(given: NoteKey): void {
  if (isNoteKey(given)) return;
  const example = given.kind === 'report' ? ': it must be like daily/2026-11-20' : '';
  throw new UsageError(`argument 'id' is not the id of a ${given.kind}${example}`);
}
