import { BroadsheetError } from '../../../contract/errors.ts';
import {
  cleanNote,
  isNoteKey,
  MOST_NOTES,
  type Note,
  type NoteKey,
  type NoteLine,
} from '../../../contract/model/note.ts';
import type { Wire } from '../../../contract/wire.ts';
import type { Invocation } from '../../invocation.ts';
import { call, openCore } from '../../open-core.ts';
import { EXIT, UsageError, type ExitCode } from '../../shell.ts';
import { bold, dim, line } from '../../styled-text.ts';
import { jsonLine, localTime, severalLines } from '../../terminal.ts';
import { writeList, writeOne } from '../reading.ts';

/** The limit of one call. */
const AT_ONCE = 500;

/** A note as it is printed: with its whole text. */
type PrintedNote = Omit<NoteLine, 'excerpt' | 'cut'> & { text: string };

/** Prints the notes of the news service in use, the one that was changed last first. */
export function listNotes(invocation: Invocation, { limit = MOST_NOTES }: { limit?: number }): Promise<ExitCode> {
  return writeList(invocation, {
    read: (wire) => readNotes(wire, limit),
    format: ({ kind, id, title, text, changedAt }: PrintedNote) =>
      line`${dim(localTime(changedAt))} ${title === '' ? '' : line`${bold(title)}: `}${text} ${dim(`[${kind} ${id}]`)}`,
    empty: 'No notes yet.',
  });
}

async function readNotes(wire: Wire, limit: number): Promise<PrintedNote[]> {
  const found: PrintedNote[] = [];
  for (;;) {
    const wanted = Math.min(AT_ONCE, limit - found.length);
    if (wanted <= 0) return found;
    const { notes } = await call(wire, 'notes.list', { limit: wanted, offset: found.length });
    for (const { excerpt, cut, ...note } of notes) {
      const whole = cut ? (await call(wire, 'notes.get', keyOf(note))).note : null;
      found.push({ ...note, text: whole?.text ?? excerpt });
    }
    if (notes.length < wanted) return found;
  }
}

/** Prints a note. Errors: `not_found`. */
export function getNote(invocation: Invocation, given: NoteKey): Promise<ExitCode> {
  const key = checked(given);
  return writeOne(invocation, {
    read: async (wire): Promise<Note> => {
      const { note } = await call(wire, 'notes.get', key);
      if (note) return note;
      throw new BroadsheetError('not_found', `There is no note about this ${key.kind}.`);
    },
    format: ({ text }) => severalLines(text),
  });
}

/** Saves a note in place of the one that is there. */
export async function setNote(invocation: Invocation, given: NoteKey, text: string): Promise<ExitCode> {
  const key = checked(given);
  if (cleanNote(text).trim() === '') throw new UsageError('the text is empty; `note remove` removes a note');
  return write(invocation, async (wire) => {
    const { note } = await call(wire, 'notes.set', { ...key, text });
    return invocation.json ? jsonLine(note) : 'Note saved';
  });
}

/** Removes a note, if there is one. */
export function removeNote(invocation: Invocation, given: NoteKey): Promise<ExitCode> {
  const key = checked(given);
  return write(invocation, async (wire) => {
    const { removed } = await call(wire, 'notes.remove', key);
    return invocation.json ? jsonLine({ removed }) : removed ? 'Note removed' : 'There was no note';
  });
}

async function write(invocation: Invocation, change: (wire: Wire) => Promise<string>): Promise<ExitCode> {
  const opened = await openCore(invocation, { fetches: false, waits: true });
  const said = await change(opened.wire).finally(opened.close);
  await invocation.shell.out.line(said);
  return EXIT.well;
}

function keyOf({ kind, id }: NoteKey): NoteKey {
  return { kind, id };
}

/** Errors: `UsageError` for an id that nothing of this kind can have. */
function checked(key: NoteKey): NoteKey {
  if (isNoteKey(key)) return key;
  const example = key.kind === 'report' ? ': it must be like daily/2026-11-20' : '';
  throw new UsageError(`argument 'id' is not the id of a ${key.kind}${example}`);
}
