import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { FailureReason } from '../../../src-main/contract/errors.ts';
import type { FolderRefusal } from '../../../src-main/contract/model/devices.ts';
import { addChecksum, lineOf } from '../../../src-main/sync/devices/lines.ts';
import { fakeClock } from '../../support/clock.ts';
import { noteFigures } from '../../support/figures.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { answerOf, ask } from '../../support/hostile/answers.ts';
import type { DeviceCommand, DeviceState } from '../../support/hostile/device.ts';
import { isWhole } from '../../support/proofs.ts';
import { mark, SOURCE } from '../../support/store.ts';
import { isTimed } from '../../support/timed.ts';
import { openDevice, type Device } from './support.ts';
import { idsIn } from '../../support/user-data.ts';

/** Limits for a device under attack: of `npm run proofs` in ms, of its heap and of user.db in MB. */
const LONGEST_HOLD = 50;
const MOST_HEAP = 512;
const LARGEST_DATABASE = 160;
const MB = 1024 * 1024;
const NOBODY = 65_534;
/** How often a device compares while something is done again and again, and how often that is done meanwhile. */
const ROUNDS = isWhole ? 20 : 4;
const MOST_TIMES = 100;
const PASSPHRASE = 'correct horse battery';
const EVIL = 'e'.repeat(16);
const LAST_TIME = 8_640_000_000_000_000;
const LINKS = process.platform === 'linux' || process.platform === 'darwin';

const noteOf = (text: string, changedAt = 1) => ({ text, createdAt: 1, changedAt, title: '', link: null });

interface Scene {
  folder: string;
  /** The folder of all devices. */
  root: string;
  /** That of the attacker, with a readable `about.json`. */
  evil: string;
  /** That of the device that is attacked. */
  own: string;
  /** Files of somebody else. */
  outside: string;
  /** The attacked device's. */
  device: Attacked;
}

interface Attack {
  /** The end of "survives …". */
  name: string;
  does: (scene: Scene) => void | Promise<void>;
  /** Done again and again while the device compares; `time` counts. */
  meanwhile?: (scene: Scene, time: number) => void;
  told?: readonly FolderRefusal[];
  failure?: FailureReason;
  /** Lines or files that can't be read. */
  unreadable?: number;
  /** Stars besides those of the other device. */
  starred?: readonly string[];
  passphrase?: string;
  /** Nothing arrives: the folder of all devices is attacked. */
  isAll?: true;
  /** Only in the long form. */
  isLarge?: true;
  asNobody?: boolean;
}

/** A device in a process of its own. */
class Attacked {
  #child: ChildProcess | null = null;
  readonly #as: { uid?: number; gid?: number };

  constructor(as: { uid?: number; gid?: number } = {}) {
    this.#as = as;
  }

  async tell(command: DeviceCommand): Promise<DeviceState> {
    if (this.#child === null) {
      const path = fileURLToPath(new URL('../../support/hostile/device.ts', import.meta.url));
      const child = fork(path, { execArgv: [`--max-old-space-size=${String(MOST_HEAP)}`], ...this.#as });
      child.once('exit', () => (this.#child = null));
      this.#child = child;
      await answerOf(child);
    }
    return ask<DeviceState>(this.#child, command);
  }

  end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }
}

const STAR = { at: 1, link: null, time: null, title: '' };
const group = (fields: object): string =>
  addChecksum(
    JSON.stringify({ k: 'star', s: SOURCE, by: EVIL, e: 0, t: Date.now() + 60_000, v: STAR, ids: ['x'], ...fields }),
  );
const write = (path: string, ...lines: string[]): void =>
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
/** A file of one character, and of one part again and again. */
function fill(path: string, bytes: number, part: string): void {
  const file = openSync(path, 'w');
  const block = Buffer.from(part.repeat(Math.ceil(MB / part.length)));
  for (let written = 0; written < bytes; written += block.length) {
    writeSync(file, block, 0, Math.min(block.length, bytes - written));
  }
  closeSync(file);
}
const pipe = (path: string): void => void execFileSync('mkfifo', [path]);
/** A link or a pipe takes the place of a file. */
function replaced(path: string, put: (path: string) => void): void {
  rmSync(path, { recursive: true, force: true });
  put(path);
}
/** Attacks on the folder of the attacker: these lines or this file are among its marks, or this is its about.json. */
const lines =
  (...all: string[]): Attack['does'] =>
  ({ evil }) =>
    write(join(evil, 'a.jsonl'), ...all);
const marksFile =
  (put: (path: string) => void): Attack['does'] =>
  ({ evil }) =>
    put(join(evil, 'a.jsonl'));
const about =
  (put: (path: string) => void): Attack['does'] =>
  ({ evil }) =>
    replaced(join(evil, 'about.json'), put);
const segmentsOf = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
const contentOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const path = join(folder, name);
    try {
      return `${name}: ${readFileSync(path, 'utf8')}`;
    } catch {
      return name;
    }
  });

const nested = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
const setting = (value: string): string =>
  addChecksum(`{"k":"setting","s":"","by":"${EVIL}","e":0,"t":1,"v":${value},"ids":["theme"]}`);

const FILES: Attack[] = [
  { name: 'a pipe as about.json', does: about(pipe), told: ['irregular'] },
  {
    name: 'a link to /dev/zero as about.json',
    does: about((path) => symlinkSync('/dev/zero', path)),
    told: ['irregular'],
  },
  { name: 'a folder as about.json', does: about(mkdirSync), told: ['irregular'] },
  { name: 'a pipe among the marks', does: marksFile(pipe), told: ['irregular'] },
  {
    name: 'links among the marks: to /dev/zero, to nothing, to each other',
    does: ({ evil }) => {
      symlinkSync('/dev/zero', join(evil, 'a.jsonl'));
      symlinkSync('/nowhere', join(evil, 'b.jsonl'));
      symlinkSync('d.jsonl', join(evil, 'c.jsonl'));
      symlinkSync('c.jsonl', join(evil, 'd.jsonl'));
    },
    told: ['irregular'],
  },
  {
    name: 'a device that is a link to another folder',
    does: ({ root, outside }) => {
      write(join(outside, 'marks.jsonl'), group({ ids: ['from outside'] }));
      symlinkSync(outside, join(root, 'd'.repeat(16)));
    },
    told: ['irregular'],
  },
  { name: 'a folder with the name of a file', does: marksFile(mkdirSync), told: ['irregular'] },
  { name: '64 MB of line feeds', does: marksFile((path) => fill(path, 64 * MB, '\n')), told: ['too_large'] },
  { name: '15 MB of line feeds', does: marksFile((path) => fill(path, 15 * MB, '\n')) },
  { name: '15 MB of spaces in lines', does: marksFile((path) => fill(path, 15 * MB, ' \n')), isLarge: true },
  {
    name: '15 MB of broken lines',
    does: marksFile((path) => fill(path, 15 * MB, 'x\n')),
    told: ['too_many'],
    unreadable: 1_000,
  },
  {
    name: '15 MB in one line',
    does: marksFile((path) => {
      fill(path, 15 * MB, 'x');
      appendFileSync(path, '\n');
    }),
    told: ['too_large'],
  },
  {
    name: 'a sparse file of 300 MB',
    does: marksFile((path) => {
      writeFileSync(path, '');
      truncateSync(path, 300 * MB);
    }),
    told: ['too_large'],
  },
  {
    name: 'a file that grows while it is read',
    does: lines(group({ ids: ['grown'] })),
    meanwhile: ({ evil }) => appendFileSync(join(evil, 'a.jsonl'), `${group({ ids: ['grown'] })}\n`.repeat(20)),
    starred: ['grown'],
  },
  {
    name: 'a file of nobody, and a folder of nobody',
    does: ({ evil, root }) => {
      write(join(evil, 'a.jsonl'), group({}));
      chmodSync(join(evil, 'a.jsonl'), 0o000);
      mkdirSync(join(root, 'd'.repeat(16)), { mode: 0o000 });
    },
    unreadable: 2,
    asNobody: true,
  },
  {
    name: 'a folder of its own that it may not write',
    does: ({ own }) => chmodSync(own, 0o555),
    failure: 'devices_folder_unwritable',
    asNobody: true,
  },
];

const LINES: Attack[] = [
  {
    name: 'a line nested 2,000 and one nested 100,000 deep',
    does: lines(setting(nested(2_000)), setting(nested(100_000))),
    told: ['too_large'],
  },
  {
    name: 'lines of almost 1 MB: a text, arrays, members, ids',
    does: lines(
      setting(JSON.stringify('x'.repeat(1_000_000))),
      setting(`[${'[],'.repeat(300_000)}[]]`),
      setting(`{${Array.from({ length: 80_000 }, (_none, index) => `"k${String(index)}":1`).join(',')}}`),
      group({ ids: Array.from({ length: 80_000 }, (_none, index) => `i${String(index)}`) }),
    ),
    told: ['too_large'],
  },
  {
    name: 'half characters, NUL, names of prototypes, doubled keys and numbers beyond all',
    does: lines(
      group({ ids: ['\ud800', 'a\0b', '__proto__', 'constructor'] }),
      group({ k: 'setting', s: '', v: 1, ids: ['constructor', 'toString', 'valueOf'] }),
      setting('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
      addChecksum(`{"k":"star","k":"read","s":"${SOURCE}","by":"${EVIL}","e":0,"t":1,"v":{},"v":1,"ids":["y"]}`),
      addChecksum(`{"k":"star","s":"${SOURCE}","by":"${EVIL}","e":1e400,"t":1,"v":1,"ids":["z"]}`),
      addChecksum(`{"k":"star","s":"${SOURCE}","by":"${EVIL}","e":0,"t":-1,"v":1e999,"ids":["z"]}`),
      group({ v: 1e300, ids: ['z'] }),
    ),
    starred: ['__proto__', 'constructor'],
  },
  {
    name: 'epochs and times that nothing could follow',
    does: lines(
      group({ e: 1_000, t: LAST_TIME, ids: ['first', 'second'], v: null }),
      group({ e: 1_000, t: Date.now() + 30 * 86_400_000, ids: ['first', 'second'], v: null }),
      group({ e: 0, t: LAST_TIME, ids: ['first', 'second'], v: null }),
    ),
    told: ['implausible'],
  },
  {
    name: 'plain lines where a passphrase is set',
    passphrase: PASSPHRASE,
    does: ({ evil, own }) => {
      const at = Date.now() + 3_600_000;
      const lines = [
        group({ t: at, v: null, ids: ['first', 'second', 'mine'] }),
        group({ k: 'note', t: at, v: noteOf('Replaced', at), ids: ['item/first'] }),
      ];
      write(join(evil, 'a.jsonl'), ...lines);
      write(join(own, 'a.jsonl'), ...lines);
    },
  },
  {
    name: 'lines that are sealed with another passphrase',
    passphrase: PASSPHRASE,
    does: ({ evil }) => {
      const key = { salt: 'ab'.repeat(16), key: 'cd'.repeat(32) };
      write(join(evil, 'a.jsonl'), lineOf(JSON.stringify({ k: 'star' }), 'records', EVIL, key));
    },
  },
  {
    name: 'more notes than any reader has',
    does: ({ evil }) => {
      for (let file = 0; file < 12; file += 1) {
        const lines = Array.from({ length: 500 }, (_none, index) => {
          const text = `${String(file)} ${String(index)} ${'x'.repeat(19_000)}`;
          const ids = [`item/${String(file)}-${String(index)}`];
          return group({ k: 'note', v: noteOf(text), ids });
        });
        write(join(evil, `${String(file)}.jsonl`), ...lines);
      }
    },
    told: ['no_room'],
    isLarge: true,
  },
  {
    name: 'one note for 500 items a line, and addresses of 8,000 characters',
    does: ({ evil }) => {
      const lines = Array.from({ length: 40 }, (_none, line) => {
        const ids = Array.from({ length: 500 }, (_id, index) => `item/${String(line)}-${String(index)}`);
        return group({ k: 'note', v: noteOf('x'.repeat(20_000)), ids });
      });
      write(join(evil, 'a.jsonl'), ...lines);
      const ids = Array.from({ length: 100 }, (_id, index) => `${String(index)}${'y'.repeat(8_000)}`);
      write(join(evil, 'b.jsonl'), group({ k: 'address', s: '', v: 1, ids }));
    },
    told: ['no_room'],
    isLarge: true,
  },
  {
    name: 'a thousand made-up devices in one file',
    does: lines(
      ...Array.from({ length: 1_000 }, (_none, index) =>
        group({ by: index.toString(16).padStart(16, '0'), v: null, ids: [`of ${String(index)}`] }),
      ),
    ),
    told: ['no_room'],
  },
];

const NAMES: Attack[] = [
  {
    name: '10,000 folders of devices',
    does: ({ root }) => {
      for (let index = 0; index < (isWhole ? 10_000 : 500); index += 1) {
        mkdirSync(join(root, index.toString(16).padStart(16, '0')));
      }
    },
    told: ['too_many'],
  },
  {
    name: 'thousands of files in a folder',
    does: ({ evil }) => {
      for (let index = 0; index < (isWhole ? 5_000 : 500); index += 1) {
        writeFileSync(join(evil, `${String(index)}.jsonl`), 'x');
      }
    },
    told: ['too_many'],
  },
  {
    name: 'names with dots, line breaks and backslashes, in capitals, composed otherwise',
    does: ({ root, evil }) => {
      for (const name of [
        '..evil',
        '...',
        '..\\..\\x',
        'E'.repeat(16),
        'caf\u00e9',
        'cafe\u0301',
        'a\nb',
        '%2e%2e',
        '-rf',
      ]) {
        mkdirSync(join(root, name), { recursive: true });
        write(join(root, name, '..\\a.jsonl'), group({ ids: ['named'] }));
      }
      write(join(evil, '-rf.jsonl'), group({ ids: ['named'] }));
    },
    starred: ['named'],
  },
];

const WRITES: Attack[] = [
  {
    name: 'a link in place of the folder of all devices',
    does: ({ root, outside }) => {
      rmSync(root, { recursive: true });
      symlinkSync(outside, root);
    },
    failure: 'devices_folder_replaced',
    isAll: true,
  },
  {
    name: 'a link in place of its own folder',
    does: ({ own, outside }) => replaced(own, (path) => symlinkSync(outside, path)),
    told: ['irregular'],
    failure: 'devices_folder_replaced',
  },
  {
    name: 'links in place of its own files',
    does: ({ own, outside }) => {
      for (const name of readdirSync(own)) {
        replaced(join(own, name), (path) => symlinkSync(join(outside, 'about.json'), path));
      }
    },
    told: ['irregular'],
  },
  {
    name: 'hard links in place of its own files',
    does: ({ own, outside }) => {
      for (const name of readdirSync(own))
        replaced(join(own, name), (path) => linkSync(join(outside, 'notes.txt'), path));
    },
    unreadable: 1,
  },
  {
    name: 'links among its own files when it replaces them by a snapshot',
    does: ({ own, outside }) => {
      for (let index = 0; index < 20; index += 1) {
        write(join(own, `r${String(index)}.jsonl`), group({ v: null, ids: ['old'] }));
        symlinkSync(join(outside, 'segment.jsonl'), join(own, `${String(index)}.jsonl`));
      }
    },
    told: ['irregular'],
  },
  {
    name: 'its own folder and files exchanged for links while it writes',
    does: () => undefined,
    meanwhile: ({ root, own, outside }, time) => {
      const away = join(root, '.away');
      try {
        if (time % 2 === 0) {
          if (lstatSync(own).isSymbolicLink()) return;
          rmSync(away, { recursive: true, force: true });
          renameSync(own, away);
          symlinkSync(outside, own);
          return;
        }
        if (lstatSync(own).isSymbolicLink()) rmSync(own);
        renameSync(away, own);
        for (const name of segmentsOf(own)) {
          replaced(join(own, name), (path) => symlinkSync(join(outside, 'segment.jsonl'), path));
        }
      } catch {
        // The device has made its folder meanwhile.
      }
    },
  },
];

const figures = { attacks: 0, hold: 0, memory: 0, database: 0 };
const devices = new Map<boolean, Attacked>();

afterAll(() => {
  for (const device of devices.values()) device.end();
  if (!isWhole) return;
  const { attacks, hold, memory, database } = figures;
  noteFigures({
    what: 'attacks on the shared folder',
    amount: attacks,
    counts: {
      crashes: 0,
      'files changed outside': 0,
      'longest hold': `${hold.toFixed(0)} ms`,
      'peak memory': `${memory.toFixed(0)} MB`,
      'largest user.db': `${database.toFixed(0)} MB`,
    },
  });
});

function attacked(asNobody: boolean): Attacked {
  const isRoot = process.getuid?.() === 0;
  const device = devices.get(asNobody) ?? new Attacked(asNobody && isRoot ? { uid: NOBODY, gid: NOBODY } : {});
  devices.set(asNobody, device);
  return device;
}

/** A device that has seen another one's first mark, and the second one is on its way. */
async function openScene({
  passphrase,
  asNobody = false,
}: Attack): Promise<Scene & { honest: Device; first: DeviceState }> {
  const place = temporaryFolder();
  const [folder, data, outside] = ['folder', 'data', 'outside'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [folder, data, outside]) mkdirSync(path);
  for (const name of ['about.json', 'notes.txt', 'segment.jsonl']) write(join(outside, name), 'somebody else’s');
  const honest = await openDevice(folder, 'desk', fakeClock(Date.now() - 60_000), passphrase);
  mark(honest.store, ['first'], 'star');
  await honest.sharing.compare();
  const root = join(folder, 'broadsheet-devices');
  const evil = join(root, EVIL);
  mkdirSync(evil);
  const about = { format: 'broadsheet-devices', version: 1, device: EVIL, name: 'desk', seenAt: 1 };
  write(join(evil, 'about.json'), addChecksum(JSON.stringify(about)));
  if (asNobody && process.getuid?.() === 0) {
    for (const path of [place, folder, data, root, evil, join(root, honest.id)]) {
      chmodSync(path, 0o755);
      chownSync(path, NOBODY, NOBODY);
    }
    for (const name of readdirSync(join(root, honest.id))) chmodSync(join(root, honest.id, name), 0o644);
  }
  const device = attacked(asNobody);
  const { id } = await device.tell({ what: 'open', data, folder, passphrase, service: SOURCE });
  await device.tell({ what: 'star', id: 'mine' });
  const first = await device.tell({ what: 'compare' });
  expect(first.starred.toSorted()).toEqual(['first', 'mine']);
  honest.clock.advance(1_000);
  mark(honest.store, ['second'], 'star');
  await honest.sharing.compare();
  if (asNobody) for (const name of segmentsOf(join(root, honest.id))) chmodSync(join(root, honest.id, name), 0o644);
  return { folder, root, evil, own: join(root, id), outside, device, honest, first };
}

async function survive(attack: Attack): Promise<void> {
  const scene = await openScene(attack);
  const { device, outside, own } = scene;
  await attack.does(scene);
  const before = contentOf(outside);
  await device.tell({ what: 'star', id: 'mine too' });
  let state: DeviceState = scene.first;
  for (let round = 0; round < (attack.meanwhile ? ROUNDS : 2); round += 1) {
    const over = new AbortController();
    const compared = device.tell({ what: 'compare' }).finally(() => over.abort());
    for (let time = 0; attack.meanwhile && time < MOST_TIMES && !over.signal.aborted; time += 1) {
      attack.meanwhile(scene, time);
      await nextTurn();
    }
    state = await compared;
    figures.hold = Math.max(figures.hold, state.hold);
    if (isTimed) expect(state.hold).toBeLessThan(LONGEST_HOLD);
    if (attack.meanwhile) await device.tell({ what: round % 2 === 0 ? 'star' : 'unstar', id: 'mine too' });
  }
  Object.assign(figures, {
    attacks: figures.attacks + 1,
    memory: Math.max(figures.memory, state.memory),
    database: Math.max(figures.database, state.database),
  });
  const arrived = attack.isAll ? ['first'] : ['first', 'second'];
  expect(state.starred.toSorted()).toEqual([...arrived, 'mine', 'mine too', ...(attack.starred ?? [])].toSorted());
  expect(contentOf(outside)).toEqual(before);
  expect(state.database).toBeLessThan(LARGEST_DATABASE);
  if (attack.meanwhile) return;
  const { refused, failure, unreadable, plain, sealed, waiting } = state.status;
  if (!attack.isAll) expect(refused.map(({ reason }) => reason)).toEqual(attack.told ?? []);
  expect(failure?.reason).toBe(attack.failure);
  expect(unreadable).toBe(attack.unreadable ?? 0);
  if (attack.passphrase !== undefined) expect([plain, sealed].toSorted()).toEqual([0, 1]);
  expect(state.notes.every((text) => text !== 'Replaced')).toBe(true);
  // Marks made here are written, if they can be.
  if (attack.failure === undefined) expect([waiting, segmentsOf(own).length > 0]).toEqual([0, true]);
}

describe('a device whose folder others write into', () => {
  const all = [...FILES, ...LINES, ...NAMES, ...WRITES];
  const possible = all.filter(({ isLarge, asNobody }) => (isWhole || !isLarge) && (LINKS || asNobody));
  it.each(possible)('survives $name', survive);

  it('has the last word about what an attacker marked, however late that claims to be', async () => {
    const scene = await openScene(FILES[0] as Attack);
    const { device, evil } = scene;
    const far = Date.now() + 100 * 365 * 86_400_000;
    const near = Date.now() + 23 * 3_600_000;
    write(
      join(evil, 'a.jsonl'),
      group({ e: 999, t: far, ids: ['one'] }),
      group({ e: 1_000, t: near, ids: ['two'] }),
      group({ e: 1_000_000, t: LAST_TIME, ids: ['three'] }),
    );
    expect((await device.tell({ what: 'compare' })).starred).toEqual(expect.arrayContaining(['one', 'two']));
    for (const id of ['one', 'two', 'three']) await device.tell({ what: 'unstar', id });
    await device.tell({ what: 'compare' });
    await scene.honest.sharing.compare();
    const left = idsIn(scene.honest.store.queries.userData.records(), 'star');
    expect(left.toSorted()).toEqual(['first', 'mine', 'second']);
  });
});
