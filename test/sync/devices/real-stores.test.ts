import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Before, Store } from '../../../src-main/store/index.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { items } from '../../support/items.ts';
import { isWhole } from '../../support/proofs.ts';
import { expectHeld } from '../../support/properties.ts';
import { EVERYTHING, mark, storeListed, undo } from '../../support/store.ts';
import { openAlone, sharingOf, type Device } from './support.ts';
import { recordsIn, type UserRecord } from '../../support/user-data.ts';

const YEAR = 365 * 24 * 3_600_000;
const PASSPHRASE = 'correct horse battery';
/** Items 0 to 2 are marked on any device; each of the others on one only. */
const SHARED = 3;
const MOST_DEVICES = 5;
const NEWS = items(SHARED + MOST_DEVICES);
/** Sooner or later, each device learns that these are one story. */
const MERGED = ['story-0', 'story-1'];
const SURVIVOR = 'story-2';

/** States in which a sync tool leaves a file. */
const FAULTS = ['none', 'truncated', 'empty', 'conflict', 'half', 'zeros', 'missing', 'temporary'] as const;
type Fault = (typeof FAULTS)[number];

type Step =
  | { what: 'mark'; on: number; item: number; action: 'star' | 'unstar' | 'read' | 'unread' }
  | { what: 'note'; on: number; item: number; text: string }
  | { what: 'mute'; on: number; rule: number }
  | { what: 'undo'; on: number }
  | { what: 'story'; on: number; story: number; action: 'follow' | 'star'; isOn: boolean }
  /** The device learns from the service that a story was merged into another one. */
  | { what: 'learn'; on: number; story: number }
  | { what: 'time'; ms: number }
  | { what: 'compare'; on: number }
  /** The process ends after this many transactions of a comparison, and starts again. */
  | { what: 'kill'; on: number; after: number }
  /** The tool copies the files of one device to another, and does something to each. */
  | { what: 'deliver'; from: number; to: number; faults: Fault[] }
  | { what: 'encrypt'; on: number }
  /** The device is retired for good, and another one removes its files. */
  | { what: 'remove'; on: number; which: number };

const on = fc.nat({ max: MOST_DEVICES - 1 });
const item = fc.nat({ max: SHARED });

/** A kind of step with its other members, and how often it comes. */
function step<W extends Step['what']>(
  weight: number,
  what: W,
  rest: { [K in keyof Omit<Extract<Step, { what: W }>, 'what'>]: fc.Arbitrary<Extract<Step, { what: W }>[K]> },
): { weight: number; arbitrary: fc.Arbitrary<Step> } {
  return { weight, arbitrary: fc.record({ what: fc.constant(what), ...rest }) as fc.Arbitrary<never> };
}

const steps = [
  step(6, 'mark', { on, item, action: fc.constantFrom('star', 'star', 'unstar', 'read', 'unread') }),
  step(2, 'note', { on, item, text: fc.constantFrom('', 'One', 'Two', 'Three') }),
  step(1, 'mute', { on, rule: fc.nat({ max: 1 }) }),
  step(2, 'undo', { on }),
  step(3, 'story', {
    on,
    story: fc.nat({ max: MERGED.length }),
    action: fc.constantFrom('follow', 'star'),
    isOn: fc.boolean(),
  }),
  step(1, 'learn', { on, story: fc.nat({ max: MERGED.length - 1 }) }),
  step(2, 'time', { ms: fc.nat({ max: 90_000_000 }) }),
  step(4, 'compare', { on }),
  step(2, 'kill', { on, after: fc.nat({ max: 12 }) }),
  step(6, 'deliver', {
    from: on,
    to: on,
    faults: fc.array(fc.constantFrom(...FAULTS), { minLength: 1, maxLength: 4 }),
  }),
  step(1, 'encrypt', { on }),
  step(1, 'remove', { on, which: on }),
];

interface Run {
  off: number[];
  encrypts: boolean;
  steps: Step[];
}

const runs: fc.Arbitrary<Run> = fc.record({
  off: fc.array(fc.constantFrom(0, 0, 0, -40 * YEAR, -1_000, 60_000, 5 * YEAR, 100 * YEAR), {
    minLength: 2,
    maxLength: MOST_DEVICES,
  }),
  encrypts: fc.boolean(),
  steps: fc.array(fc.oneof(...steps), { minLength: 10, maxLength: 50 }),
});

/** A device with its own copy of the synced folder. */
interface Place {
  device: Device;
  folder: string;
  /** The last that was done to the item that only this device marks. */
  starred: boolean;
  note: string;
  isRetired: boolean;
  /** Actions on the items that all mark. */
  undos: Before[];
  learned: Set<string>;
}

const marksOf = (folder: string, id: string): string => join(folder, 'broadsheet-devices', id);
const namesIn = (path: string): string[] => (existsSync(path) ? readdirSync(path) : []);
const copyName = (name: string): string => name.replace(/(\.jsonl?)$/, ' (conflicted copy)$1');

/** Several devices and the tool that copies their files. */
class World {
  readonly places: Place[] = [];
  /** Removed files, by path in the folder: a tool does not bring them back, unless it is another version. */
  readonly #removed = new Map<string, Buffer>();

  async open(off: readonly number[]): Promise<void> {
    for (const ms of off) {
      const folder = temporaryFolder();
      const clock = fakeClock();
      clock.advance(0);
      const alone = openAlone(`device ${String(this.places.length)}`, fakeClock(clock.now() + ms));
      await alone.sharing.use({ folder });
      storeListed(alone.store, NEWS);
      const id = alone.store.queries.devices.config()?.device ?? '';
      this.places.push({
        device: { ...alone, id },
        folder,
        starred: false,
        note: '',
        isRetired: false,
        undos: [],
        learned: new Set(),
      });
    }
  }

  at(index: number): Place {
    return this.places[index % this.places.length] as Place;
  }

  get active(): Place[] {
    return this.places.filter(({ isRetired }) => !isRetired);
  }

  /** The item that a step is about on a device: one of all, or the device's own. */
  itemOf(place: Place, index: number): string {
    return NEWS[index < SHARED ? index : SHARED + this.places.indexOf(place)]?.id ?? '';
  }

  deliver(from: Place, to: Place, faults: readonly Fault[]): void {
    if (from === to) return;
    const { id } = from.device;
    for (const [index, name] of namesIn(marksOf(from.folder, id)).entries()) {
      if (this.#removed.get(join(id, name))?.equals(readFileSync(join(marksOf(from.folder, id), name)))) continue;
      mkdirSync(marksOf(to.folder, id), { recursive: true });
      left(join(marksOf(from.folder, id), name), marksOf(to.folder, id), name, faults[index % faults.length] ?? 'none');
    }
  }

  /** The tool is done: each device has the files of all, and what the owner no longer has is gone, or not. */
  deliverAll(): void {
    for (const from of this.places) for (const to of this.active) this.deliver(from, to, ['none']);
  }

  /** Everything of it is on the way; what of it the other device had read is removed everywhere. */
  async remove(by: Place, which: Place, encrypts: boolean): Promise<void> {
    const path = marksOf(by.folder, which.device.id);
    if (by === which || by.isRetired || which.isRetired || this.active.length < 3 || !existsSync(path)) return;
    // Those that encrypt read nothing else of it.
    if (encrypts) await which.device.sharing.use({ folder: which.folder, passphrase: PASSPHRASE });
    await which.device.sharing.compare();
    await which.device.sharing.stop();
    which.isRetired = true;
    const before = namesIn(path)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => ({ name, content: readFileSync(join(path, name)) }));
    // It is refused if the passphrase is missing, or a file is not complete.
    await by.device.sharing.remove(which.device.id).catch(() => undefined);
    const after = new Set(namesIn(path));
    for (const { name, content } of before) {
      if (after.has(name)) continue;
      this.#removed.set(join(which.device.id, name), content);
      // A version that the other device did not have stays: a tool takes a change for more than a removal.
      for (const place of this.places) {
        const file = join(marksOf(place.folder, which.device.id), name);
        if (existsSync(file) && readFileSync(file).equals(content)) rmSync(file);
      }
    }
  }
}

/** Leaves a file as a sync tool does that is interrupted, or meets another copy. */
function left(file: string, folder: string, name: string, fault: Fault): void {
  const whole = readFileSync(file);
  const half = whole.subarray(0, whole.length / 2);
  const contents: Record<Fault, [name: string, content: Buffer][]> = {
    none: [[name, whole]],
    truncated: [[name, whole.subarray(0, Math.max(0, whole.length - 5))]],
    empty: [[name, Buffer.alloc(0)]],
    conflict: [
      [name, half],
      [copyName(name), whole],
    ],
    half: [[name, half]],
    zeros: [[name, Buffer.concat([half, Buffer.alloc(whole.length - half.length)])]],
    missing: [],
    temporary: [[`.syncthing.${name}.tmp`, half]],
  };
  for (const [one, content] of contents[fault]) writeFileSync(join(folder, one), content);
}

/** A store whose transactions fail after some, as if the process had ended between two of them. */
function endingAfter(store: Store, count: number): Store {
  let left = count;
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (name === 'transaction' && (left -= 1) < 0) throw new Error('The process ended.');
        return Reflect.apply(value, target, args);
      };
    },
  });
}

async function act(world: World, step: Step, encrypts: boolean): Promise<void> {
  if (step.what === 'time') {
    for (const { device: one } of world.places) one.clock.advance(step.ms);
    return;
  }
  if (step.what === 'deliver') {
    world.deliver(world.at(step.from), world.at(step.to), step.faults);
    return;
  }
  const place = world.at(step.on);
  if (place.isRetired) return;
  const { store, clock, sharing } = place.device;
  switch (step.what) {
    case 'mark': {
      const action = mark(store, [world.itemOf(place, step.item)], step.action);
      if (step.item < SHARED) place.undos.push(action);
      if (step.item >= SHARED && step.action.endsWith('star')) place.starred = step.action === 'star';
      return;
    }
    case 'undo': {
      const action = place.undos.pop();
      if (action) undo(store, action);
      return;
    }
    case 'story': {
      const id = MERGED[step.story] ?? SURVIVOR;
      const story = place.learned.has(id) ? SURVIVOR : id;
      store.transaction(({ storyStatuses }) => {
        if (step.action === 'star') storyStatuses.star(story, step.isOn, clock.now());
        else storyStatuses.follow(story, step.isOn, null, clock.now());
      });
      return;
    }
    case 'learn':
      learn(place, MERGED[step.story] ?? '');
      return;
    case 'note': {
      const key = { kind: 'item', id: world.itemOf(place, step.item) } as const;
      store.transaction((tx) => tx.notes.set(key, step.text, { now: clock.now() }));
      if (step.item >= SHARED) place.note = step.text;
      return;
    }
    case 'mute': {
      const query = `football ${String(step.rule)}`;
      const known = store.queries.rules.mutes().find((rule) => rule.query === query);
      store.transaction((tx) => {
        if (known) tx.rules.removeMute(known.id);
        else tx.rules.addMute(query, clock.now());
      });
      return;
    }
    case 'kill': {
      const { keys } = sharing;
      await sharing.stop();
      const killed = sharingOf(endingAfter(store, step.after), 'killed', clock, keys);
      await killed.sharing.compare();
      await killed.sharing.stop();
      place.device = { ...sharingOf(store, 'again', clock, keys), id: place.device.id };
      return;
    }
    case 'encrypt':
      // Another one may have another salt already: then what is there opens with the passphrase, too.
      await sharing.use({ folder: place.folder, passphrase: PASSPHRASE });
      return;
    case 'remove':
      return world.remove(place, world.at(step.which), encrypts);
    case 'compare':
      return sharing.compare();
  }
}

function learn({ device: { store }, learned }: Place, story: string): void {
  learned.add(story);
  store.transaction(({ stories }) => stories.merge(story, SURVIVOR));
}

interface Seen {
  starred: string[];
  unread: string[];
  notes: string[];
  /** With their times and ids. */
  records: UserRecord[];
}

/** Returns the reader's view of the marks. */
function seen({ device: { store, clock } }: Place): Seen {
  const { queries } = store;
  const listed = (state: 'starred' | 'unread'): string[] =>
    queries.items
      .page({ ...EVERYTHING, state }, undefined, 100, clock.now())
      .rows.map(({ id }) => id)
      .sort();
  return {
    starred: listed('starred'),
    unread: listed('unread'),
    notes: NEWS.map(({ id }) => queries.notes.get({ kind: 'item', id }).note?.text ?? ''),
    records: recordsIn(
      queries.userData.records(),
      ...(['note', 'mute', 'read', 'star', 'unread', 'follow', 'story'] as const),
    ).filter(({ id }) => !MERGED.includes(id)),
  };
}

async function converge({ off, encrypts, steps }: Run): Promise<void> {
  const world = new World();
  await world.open(off);
  for (const step of steps) if (encrypts || step.what !== 'encrypt') await act(world, step, encrypts);
  for (const place of world.active) for (const story of MERGED) learn(place, story);
  for (let round = 0; round < 3; round += 1) {
    for (const { device: one, folder } of world.active) {
      if (encrypts && round < 2) await one.sharing.use({ folder, passphrase: PASSPHRASE });
      await one.sharing.compare();
    }
    world.deliverAll();
  }
  for (const { device: one } of world.active) await one.sharing.compare();
  const [first, ...others] = world.active;
  const expected = first && seen(first);
  for (const other of others) expect(seen(other)).toEqual(expected);
  for (const [index, place] of world.places.entries()) {
    const own = SHARED + index;
    expect(expected?.starred.includes(NEWS[own]?.id ?? ''), `star of device ${String(index)}`).toBe(place.starred);
    expect(expected?.notes[own], `note of device ${String(index)}`).toBe(place.note);
  }
  for (const { device: one } of world.active) {
    expect(one.sharing.status()).toMatchObject({ waiting: 0, locked: false, sealed: 0, failure: null });
    await one.sharing.stop();
    one.store.close();
  }
}

describe('marks in real databases', () => {
  it('are the same on two to five devices, whatever the sync tool, the clocks and kills did', async () => {
    await expectHeld(runs, isWhole ? 1_000 : 4, (run) => converge(run));
  });
});
