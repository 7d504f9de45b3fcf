import path from 'node:path';
import { countOf } from '../../common/numbers.ts';
import {
  LONGEST_PASSPHRASE,
  NOT_SHARED,
  SHORTEST_PASSPHRASE,
  type MarksFolder,
  type MarksMachine,
  type MarksRefusal,
} from '../../contract/model/marks-folder.ts';
import type { Args } from '../../contract/methods.ts';
import { command, flag, ownCommand, text, type Io } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { print } from '../run-command.ts';
import { EXIT, UsageError } from '../shell.ts';
import { line, red, type Text, localTime, oneLine } from '../terminal-text.ts';

export const MARKS_FOLDER_COMMANDS = {
  'marks-folder status': command({
    about: 'show the folder and its machines as the last comparison found them',
    needs: 'reads',
    run: async (_given, io) => passFailure(await io.call('marksFolder.get', {}), io),
    text: statusLines,
    unsaved: NOT_SHARED,
  }),
  'marks-folder compare': command({
    about: 'compare with the folder now: write what is new here, take what is new there',
    needs: 'writes',
    run: async (_given, io) => passFailure(await io.call('marksFolder.compare', {}), io),
    text: statusLines,
  }),
  'marks-folder set': ownCommand({
    about: 'share marks through a folder, such as one of Syncthing, Dropbox or iCloud Drive, or a share',
    args: { folder: text('the folder; the same one on each machine', 4096) },
    options: {
      passphrase: flag(
        'encrypt with a passphrase, which is read from standard input; the same one on each machine',
        'encrypt no more',
      ),
      settings: flag(
        'share how you like to read, too: theme, language, shortcuts, notifications and the like',
        'share no settings',
      ),
    },
    run: async ({ folder, passphrase: encrypts, settings }, invocation) => {
      const { shell, json } = invocation;
      const passphrase = encrypts ? await readPassphrase(invocation) : null;
      const status = await share(invocation, {
        folder: path.resolve(folder),
        ...(settings !== undefined && { settings }),
        ...(encrypts !== undefined && { passphrase }),
      });
      await print(invocation, status, statusLines(status));
      if (status.failure && !json) await shell.err.line(failureText(status.failure));
      if (encrypts && !json) {
        await shell.err.line(
          'The key is in the data folder, in a file that only you can read. Remember the passphrase.',
        );
      }
      return status.failure ? EXIT.failed : EXIT.well;
    },
  }),
  'marks-folder off': command({
    about: 'share no more; marks and files stay',
    needs: 'writes',
    run: async (_given, io) => passFailure(await io.call('marksFolder.off', {}), io),
    text: statusLines,
  }),
  'marks-folder remove': command({
    about: 'remove the files of a machine that you no longer use; its marks stay',
    needs: 'writes',
    args: { machine: text('its id: see marks-folder status', 16) },
    prepare: async ({ machine }) => {
      const { machineId } = await import('../../contract/guards.ts');
      if (machineId.safeParse(machine).success) return;
      throw new UsageError(`there is no machine '${machine}': see marks-folder status`);
    },
    run: async ({ machine }, io) => passFailure(await io.call('marksFolder.remove', { machine }), io),
    text: statusLines,
  }),
};

function passFailure(status: MarksFolder, { fail, invocation }: Io): MarksFolder {
  if (status.failure) fail(invocation.json ? undefined : failureText(status.failure));
  return status;
}

function failureText({ message }: NonNullable<MarksFolder['failure']>): Text {
  return line`${red('broadsheet:')} ${message}`;
}

async function share(invocation: Invocation, choice: Args<'marksFolder.set'>): Promise<MarksFolder> {
  const { openToWrite } = await import('../open-to-write.ts');
  const savesMarksKeys = typeof choice.passphrase === 'string';
  const { call, close } = await openToWrite(invocation, { fetches: false, savesMarksKeys });
  return call('marksFolder.set', choice).finally(close);
}

async function readPassphrase({ shell }: Invocation): Promise<string> {
  const { input, err } = shell;
  const prompt = async (): Promise<void> => {
    if (input.isTerminal) await err.line('Enter the passphrase. It is not shown:');
  };
  const passphrase = (await input.line({ longest: LONGEST_PASSPHRASE + 1, hidden: true, prompt })) ?? '';
  if (passphrase === '') throw new UsageError('there is no passphrase on standard input');
  if (passphrase.length < SHORTEST_PASSPHRASE || passphrase.length > LONGEST_PASSPHRASE) {
    const limits = `${String(SHORTEST_PASSPHRASE)} to ${String(LONGEST_PASSPHRASE)}`;
    throw new UsageError(`a passphrase has ${limits} characters`);
  }
  return passphrase;
}

function statusLines(status: MarksFolder): string[] {
  const { folder, machines, comparedAt, waiting, leftOut, unreadable } = status;
  if (folder === null) return ['Marks are not shared. Set a folder with marks-folder set.'];
  const lines = [`Marks are shared through ${oneLine(folder)}${status.encrypted ? ', encrypted' : ''}`];
  const width = Math.max(0, ...machines.map((machine) => nameOf(machine).length));
  for (const machine of machines.toSorted((one, other) => Number(other.isThis) - Number(one.isThis))) {
    lines.push(`  ${machine.id}  ${nameOf(machine).padEnd(width)}  last seen ${localTime(machine.seenAt)}`);
  }
  lines.push(
    comparedAt === null
      ? 'Not compared yet: run marks-folder compare.'
      : `As of the last comparison, ${localTime(comparedAt)}`,
  );
  if (waiting > 0) lines.push(`${countOf(waiting, 'mark')} not in the folder yet`);
  if (leftOut > 0) lines.push(`${countOf(leftOut, 'mark')} of other machines left out: there is no room here`);
  if (unreadable === 1) lines.push('1 unreadable line or file in the folder; it is read again when it changes');
  if (unreadable > 1)
    lines.push(`${String(unreadable)} unreadable lines or files in the folder; they are read again when they change`);
  return [...lines, ...extraLines(status)];
}

const REFUSED: Readonly<Record<MarksRefusal, (count: number) => string>> = {
  irregular: (count) =>
    count === 1
      ? '1 entry not read because it is a link or no regular file'
      : `${String(count)} entries not read because they are links or no regular files`,
  too_large: (count) => `${countOf(count, 'part')} not read: larger than what Broadsheet writes`,
  too_many: (count) => `${countOf(count, 'part')} left for the next comparisons: too many at once`,
  implausible: (count) => `${countOf(count, 'mark')} with impossible times left out: check the clocks of your machines`,
  no_room: (count) =>
    `${countOf(count, 'mark')} left out because a machine wrote too many: check who can write to the folder`,
};

function extraLines({ locked, sealed, plain, refused, settings, unknownSettings }: MarksFolder): string[] {
  const lines: string[] = [];
  if (settings) lines.push('Settings are shared, too.');
  if (unknownSettings > 0) lines.push(`${countOf(unknownSettings, 'setting')} of a later version not used here`);
  if (locked) lines.push('Enter the passphrase: run marks-folder set with the same folder and --passphrase.');
  if (sealed > 0) lines.push(`${countOf(sealed, 'encrypted line')} of other machines cannot be read without it`);
  if (plain > 0) lines.push(`${countOf(plain, 'file')} of other machines not encrypted and therefore not read`);
  lines.push(...refused.map(({ reason, count }) => REFUSED[reason](count)));
  return lines;
}

function nameOf({ name, isThis }: MarksMachine): string {
  return `${oneLine(name) || 'unnamed'}${isThis ? ' (this machine)' : ''}`;
}
