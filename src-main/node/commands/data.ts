import path from 'node:path';
import { byteSize, countOf } from '../../common/numbers.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { LONGEST_USER_DATA, type Backup, type ImportResult } from '../../contract/user-data.ts';
import { command, listCommand, text } from '../command.ts';
import { ownFolders } from '../invocation.ts';
import { QUIET } from '../progress.ts';
import { MachineError } from '../shell.ts';
import { onShutdownSignal } from '../shutdown-signals.ts';
import { localTime, oneLine } from '../terminal-text.ts';

/** UTF-8 takes at most three bytes for each UTF-16 unit. */
const MAX_FILE_BYTES = 3 * LONGEST_USER_DATA;

export const DATA_COMMANDS = {
  'data export': command({
    about: 'export everything as one JSON file (docs/user-data.md), without the key',
    needs: 'reads',
    args: { file: text('the file to write; -: standard output', 4096) },
    run: async ({ file: out }, { call, invocation, hint }) => {
      const { text: content } = await call('data.export', {});
      const { writeText } = await import('./files.ts');
      const stop = new AbortController();
      onShutdownSignal(() => stop.abort(), { watchStdin: false });
      const to = { out, ownFolders: ownFolders(invocation), stdout: invocation.shell.out, stop: stop.signal };
      const { file, streamed } = await writeText(to, content);
      if (!streamed) return { file, bytes: Buffer.byteLength(content) };
      await hint(`Exported to ${file === '-' ? 'standard output' : oneLine(file)}`);
      return undefined;
    },
    text: ({ file }) => oneLine(`Exported to ${file}`),
  }),
  'data import': command({
    about: 'merge an exported file into your data; nothing is removed',
    needs: 'writes',
    args: { file: text('the file to read', 4096) },
    prepare: async ({ file }) => (await import('./files.ts')).readText(path.resolve(file), MAX_FILE_BYTES),
    run: (_given, { call }, content) => call('data.import', { text: content }).catch(refuseFile),
    text: importText,
  }),
  'data backups': listCommand({
    about: 'list the backups of user.db, newest first',
    needs: 'reads',
    async *run(_given, { call }) {
      yield* (await call('data.backups', {})).backups;
    },
    text: backupText,
    empty: 'No backups yet.',
    unsaved: 'error',
  }),
  'data backup': command({
    about: 'back up user.db now',
    needs: 'writes',
    options: QUIET,
    run: async (_given, { call }) => (await call('data.backUp', {})).backups[0],
    text: backupText,
  }),
  'data restore': command({
    about: 'replace user.db with a backup; the current one is renamed',
    needs: 'writes',
    args: { name: text('the name of the backup, from "data backups"', 120) },
    run: async ({ name }, { call }) => {
      await call('data.restore', { name });
      return { restored: name };
    },
    text: ({ restored }) =>
      oneLine(`Restored ${restored}. The name of the previous file begins with user.db.replaced-.`),
  }),
  'data dismiss': command({
    about: 'end the message about a file that was damaged; the file that was renamed stays',
    needs: 'writes',
    args: { name: text('the name of the renamed file, from "status"', 120) },
    run: async ({ name }, { call }) => {
      await call('data.dismissWarning', { id: name });
      return { dismissed: name };
    },
    text: ({ dismissed }) => oneLine(`The message about ${dismissed} is dismissed. The file itself is unchanged.`),
  }),
  'data rebuild': command({
    about: 'download the news again; what is saved stays until that is complete',
    needs: 'fetches',
    options: QUIET,
    run: async (_given, { call }) => {
      await call('data.rebuildMirror', {});
      return { rebuilt: true };
    },
    text: () =>
      'Downloaded the news again. Run `broadsheet sync` to update reports, topics and hot topics, too. Your own data is unchanged.',
  }),
};

/** An invalid file is not wrong usage: exit code 1. */
function refuseFile(error: unknown): never {
  if (error instanceof BroadsheetError && error.code === 'invalid_argument') throw new MachineError(error.message);
  throw error;
}

function importText({ taken, unchanged, skipped, settings }: ImportResult): string {
  const parts = [`${countOf(taken, 'row')} imported`, `${unchanged} unchanged`];
  if (skipped > 0) parts.push(`${skipped} invalid and skipped`);
  return `${parts.join(', ')}; settings ${settings ? 'imported' : 'unchanged'}`;
}

function backupText({ name, at, bytes }: Backup): string {
  return oneLine(`${name} - ${localTime(at)}, ${byteSize(bytes, 'en')}`);
}
