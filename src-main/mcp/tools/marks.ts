import { z } from 'zod';
import { countOf } from '../../common/numbers.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { itemId } from '../../contract/guards.ts';
import { LONGEST_NOTE } from '../../contract/model/note.ts';
import { tool, type Answer } from '../tool.ts';

const MAX_MARKED = 50;
const ASKED = 'Only when the reader asks for it.';

export const markItems = tool({
  name: 'mark_items',
  title: 'Mark items',
  description: `Marks saved items as read or unread, stars or unstars them. ${ASKED}`,
  input: z.strictObject({
    ids: z.array(itemId).min(1).max(MAX_MARKED).describe('As search and whats_new_since give them'),
    mark: z.enum(['read', 'unread', 'star', 'unstar']),
  }),
  resource: () => 'items',
  async run({ ids, mark }, { call }): Promise<Answer> {
    const { ids: unknown } = await call('items.unknown', { ids });
    const known = ids.filter((id) => !unknown.includes(id));
    const notSaved = unknown.length === 0 ? '' : `Not saved here: ${unknown.join(', ')}.`;
    if (known.length === 0) throw new BroadsheetError('not_found', notSaved);
    const { changed } = await call('items.mark', { ids: known, mark });
    return {
      intro: `${countOf(changed, 'item')} changed. ${notSaved}`.trimEnd(),
      facts: { changed, unknown },
      quoted: {},
      lines: [],
    };
  },
});

/** Adds, and never replaces: what it is told to write may come from a text of strangers. */
export const addNote = tool({
  name: 'add_note',
  title: 'Add to a note',
  description: `Adds a paragraph to the reader's note on a saved item. ${ASKED}`,
  input: z.strictObject({ id: itemId, text: z.string().trim().min(1).max(LONGEST_NOTE).describe('Plain text') }),
  resource: () => 'items',
  async run({ id, text }, { call }): Promise<Answer> {
    await call('items.get', { id });
    const { note } = await call('notes.get', { kind: 'item', id });
    const whole = note ? `${note.text.trimEnd()}\n\n${text}` : text;
    if (whole.length > LONGEST_NOTE) {
      const message = `add_note: text: the note would be longer than ${String(LONGEST_NOTE)} characters`;
      throw new BroadsheetError('invalid_argument', message);
    }
    await call('notes.set', { kind: 'item', id, text: whole });
    return { intro: note ? 'Added to the note.' : 'Note saved.', facts: {}, quoted: {}, lines: [] };
  },
});
