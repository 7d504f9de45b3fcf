import { Argument, type Command } from 'commander';
import { LONGEST_NOTE, NOTE_KINDS, type NoteKind } from '../../../contract/model/note.ts';
import { parseText } from '../../invocation.ts';
import type { Run } from '../reading-commands.ts';

const ID = 'its id; for a report, kind and label: daily/2026-11-20';
const commands = () => import('./notes.ts');

/** Adds the commands that read and write notes. */
export function addNotes(program: Command, run: Run): void {
  const note = program
    .command('note')
    .description('show, write or remove your note about an item, a story or a report');
  const about = (name: string, description: string): Command =>
    note
      .command(name)
      .description(description)
      .addArgument(new Argument('<kind>', 'what it is about').choices(NOTE_KINDS))
      .argument('<id>', ID, parseText(512));
  about('get', 'show a note').action((kind: NoteKind, id: string) =>
    run(async (invocation) => (await commands()).getNote(invocation, { kind, id })),
  );
  about('set', 'write a note, in place of the one that is there')
    .argument('<text>', 'plain text, up to 20,000 characters', parseText(LONGEST_NOTE))
    .action((kind: NoteKind, id: string, text: string) =>
      run(async (invocation) => (await commands()).setNote(invocation, { kind, id }, text)),
    );
  about('remove', 'remove a note').action((kind: NoteKind, id: string) =>
    run(async (invocation) => (await commands()).removeNote(invocation, { kind, id })),
  );
}
