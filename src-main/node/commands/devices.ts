import path from 'node:path';
import { countOf } from '../../common/numbers.ts';
import {
  LONGEST_PASSPHRASE,
  NOT_SHARED,
  SHORTEST_PASSPHRASE,
  type SharedFolderStatus,
  type Device,
  type FolderRefusal,
} from '../../contract/model/devices.ts';
import type { Args } from '../../contract/methods.ts';
import { command, flag, ownCommand, text, type Io } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { print } from '../run-command.ts';
import { EXIT, UsageError } from '../shell.ts';
import { line, red, type Text, localTime, oneLine } from '../terminal-text.ts';

export const DEVICE_COMMANDS = {
  'devices status': command({
    about: 'show the folder and its devices as the last comparison found them',
    needs: 'reads',
    run: async (_given, io) => passFailure(await io.call('devices.get', {}), io),
    text: statusLines,
    unsaved: NOT_SHARED,
  }),
  'devices compare': command({
    about: 'compare with the folder now: write what is new here, take what is new there',
    needs: 'writes',
    run: async (_given, io) => passFailure(await io.call('devices.compare', {}), io),
    text: statusLines,
  }),
  'devices set': ownCommand({
    about: 'share your data through a folder, such as one of Syncthing, Dropbox or iCloud Drive, or a share',
    args: { folder: text('the folder; the same one on each device', 4096) },
    options: {
      passphrase: flag(
        'encrypt with a passphrase, which is read from standard input; the same one on each device',
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
  'devices off': command({
    about: 'share no more; your data and the files stay',
    needs: 'writes',
    run: async (_given, io) => passFailure(await io.call('devices.off', {}), io),
    text: statusLines,
  }),
  'devices remove': command({
    about: 'remove the files of a device that you no longer use; what it shared stays',
    needs: 'writes',
    args: { device: text('its id: see devices status', 16) },
    prepare: async ({ device }) => {
      const { deviceId } = await import('../../contract/guards.ts');
      if (deviceId.safeParse(device).success) return;
      throw new UsageError(`there is no device '${device}': see devices status`);
    },
    run: async ({ device }, io) => passFailure(await io.call('devices.remove', { device }), io),
    text: statusLines,
  }),
};

function passFailure(status: SharedFolderStatus, { fail, invocation }: Io): SharedFolderStatus {
  if (status.failure) fail(invocation.json ? undefined : failureText(status.failure));
  return status;
}

function failureText({ message }: NonNullable<SharedFolderStatus['failure']>): Text {
  return line`${red('broadsheet:')} ${message}`;
}

async function share(invocation: Invocation, choice: Args<'devices.set'>): Promise<SharedFolderStatus> {
  const { openToWrite } = await import('../open-to-write.ts');
  const savesFolderKeys = typeof choice.passphrase === 'string';
  const { call, close } = await openToWrite(invocation, { fetches: false, savesFolderKeys });
  return call('devices.set', choice).finally(close);
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

function statusLines(status: SharedFolderStatus): string[] {
  const { folder, devices, comparedAt, waiting, leftOut, unreadable } = status;
  if (folder === null) return ['Nothing is shared. Set a folder with devices set.'];
  const lines = [`Shared through ${oneLine(folder)}${status.encrypted ? ', encrypted' : ''}`];
  const width = Math.max(0, ...devices.map((device) => nameOf(device).length));
  for (const device of devices.toSorted((one, other) => Number(other.isThis) - Number(one.isThis))) {
    lines.push(`  ${device.id}  ${nameOf(device).padEnd(width)}  last seen ${localTime(device.seenAt)}`);
  }
  lines.push(
    comparedAt === null
      ? 'Not compared yet: run devices compare.'
      : `As of the last comparison, ${localTime(comparedAt)}`,
  );
  if (waiting > 0) lines.push(`${countOf(waiting, 'change')} not in the folder yet`);
  if (leftOut > 0)
    lines.push(
      `${countOf(leftOut, 'rule')} of your devices not used: beyond the limit of saved searches or mute rules`,
    );
  if (unreadable === 1) lines.push('1 unreadable line or file in the folder; it is read again when it changes');
  if (unreadable > 1)
    lines.push(`${String(unreadable)} unreadable lines or files in the folder; they are read again when they change`);
  return [...lines, ...extraLines(status)];
}

const REFUSED: Readonly<Record<FolderRefusal, (count: number) => string>> = {
  irregular: (count) =>
    count === 1
      ? '1 entry not read because it is a link or no regular file'
      : `${String(count)} entries not read because they are links or no regular files`,
  too_large: (count) => `${countOf(count, 'part')} not read: larger than what Broadsheet writes`,
  too_many: (count) => `${countOf(count, 'part')} left for the next comparisons: too many at once`,
  implausible: (count) =>
    `${countOf(count, 'change')} with impossible times left out: check the clocks of your devices`,
  no_room: (count) =>
    `${countOf(count, 'change')} left out because a device wrote too many: check who can write to the folder`,
};

function extraLines({ locked, sealed, plain, refused, settings, unknownSettings }: SharedFolderStatus): string[] {
  const lines: string[] = [];
  if (settings) lines.push('Settings are shared, too.');
  if (unknownSettings > 0) lines.push(`${countOf(unknownSettings, 'setting')} of a later version not used here`);
  if (locked) lines.push('Enter the passphrase: run devices set with the same folder and --passphrase.');
  if (sealed > 0) lines.push(`${countOf(sealed, 'encrypted line')} of other devices cannot be read without it`);
  if (plain > 0) lines.push(`${countOf(plain, 'file')} of other devices not encrypted and therefore not read`);
  lines.push(...refused.map(({ reason, count }) => REFUSED[reason](count)));
  return lines;
}

function nameOf({ name, isThis }: Device): string {
  return `${oneLine(name) || 'unnamed'}${isThis ? ' (this device)' : ''}`;
}
