import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NotificationGroup } from '../../../src-main/contract/model/notification.ts';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../src-main/contract/settings.ts';
import { startDemoService, type DemoService } from '../../../src-main/demo/service.ts';
import type { EngineSettings } from '../../../src-main/sync/engine/types.ts';
import { fakeClock, type FakeClock } from '../../support/clock.ts';
import { drive, settled } from '../../support/driving.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openTestEngine, type TestEngine } from '../../support/test-engine.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ALL: ItemsQuery = { scope: 'all', window: 'any', state: 'any' };
const FILE_ENDS = ['', '-wal', '-shm'];
/** Wednesday, half past two in the afternoon in Shanghai. */
const START = '2026-03-18T06:30:00Z';
/** Only saved searches, so that reports don't come between. */
const NOTIFY: Settings['notify'] = {
  daily: false,
  weekly: false,
  monthly: false,
  story: false,
  saved: true,
  models: false,
};
const NO_QUIET: Settings['quietHours'] = { on: false, from: '22:00', to: '09:00' };
const QUIET: Settings['quietHours'] = { on: true, from: '14:00', to: '18:00' };

interface Scene {
  service: DemoService;
  clock: FakeClock;
  room: TestEngine;
  /** Lets time pass for the engine's own schedulers. */
  pass(ms?: number): Promise<void>;
  /** Returns the notifications since its last call. */
  told(): NotificationGroup[];
  use(patch: Partial<EngineSettings>): Promise<void>;
  /** Another run on the same folder. */
  reopen(before?: (folder: string) => void): Promise<void>;
  search(name: string, query: string, notify?: boolean): Promise<string>;
}

async function openScene(patch: Partial<EngineSettings> = {}): Promise<Scene> {
  const clock = fakeClock(START);
  const service = await startDemoService({ clock, content: { selected: 30, days: 2 } });
  onTestFinished(() => service.close());
  const folder = temporaryFolder();
  let settings: Partial<EngineSettings> = { polling: 'usual', notify: NOTIFY, quietHours: NO_QUIET, ...patch };
  const open = (): TestEngine =>
    openTestEngine({ address: service.newsAddress, clock, folder, settings, zone: () => 'Asia/Shanghai' });
  let room = open();
  let looked = 0;
  await room.engine.start();
  await settled(clock);
  return {
    service,
    clock,
    get room() {
      return room;
    },
    pass: (ms = 10 * MINUTE) => drive(clock, ms),
    told: () => {
      const fresh = room.events.slice(looked);
      looked = room.events.length;
      return fresh
        .filter(({ event }) => event === 'notifications.raised')
        .map(({ payload }) => payload as NotificationGroup);
    },
    use: async (more) => {
      settings = { ...settings, ...more };
      await room.engine.useSettings({ ...room.settings, ...settings });
    },
    reopen: async (before = () => undefined) => {
      await room.engine.close();
      before(folder);
      room = open();
      looked = 0;
      await room.engine.start();
      await settled(clock);
    },
    search: async (name, query, notify = true) => {
      const { id } = await room.call('saved.add', { name, query, notify });
      await expect.poll(() => room.queries.rules.progress()).toBeNull();
      return id;
    },
  };
}

/** After the first download. */
async function openSettled(patch: Partial<EngineSettings> = {}): Promise<Scene> {
  const scene = await openScene(patch);
  await scene.pass();
  expect(scene.told()).toEqual([]);
  return scene;
}

const publish = ({ service }: Scene, title: string, fields = {}) => service.control.addItem({ title, ...fields });
const history = ({ room }: Scene) => room.queries.notifications.list(500);
const news = ({ notifications }: NotificationGroup) =>
  notifications.map(({ label, count }) => `${label ?? ''} ${String(count)}`);

describe('a saved search that notifies', { timeout: 60_000 }, () => {
  it('is off by default, and the switch can be changed', async () => {
    expect(DEFAULT_SETTINGS.notify.saved).toBe(true);
    const scene = await openSettled();
    const { id, searches } = await scene.room.call('saved.add', { name: 'Zebras', query: 'zebra' });
    expect(searches).toMatchObject([{ notify: false }]);
    publish(scene, 'A zebra was seen');
    await scene.pass();
    expect(scene.told()).toEqual([]);
    await scene.room.call('saved.change', { id, notify: true });
    await scene.pass();
    // Earlier items are no news.
    expect(scene.told()).toEqual([]);
    publish(scene, 'Another zebra');
    await scene.pass();
    expect(scene.told().map(news)).toEqual([['Zebras 1']]);
    await scene.room.call('saved.change', { id, notify: false });
    publish(scene, 'A third zebra');
    await scene.pass();
    expect(scene.told()).toEqual([]);
  });

  it('has one notification a poll, with the newest title, which opens it', async () => {
    const scene = await openSettled();
    const id = await scene.search('Zebras', 'zebra');
    for (const title of ['One zebra', 'Two zebras, no: a zebra', 'The last zebra']) {
      publish(scene, title);
      scene.clock.advance(1_000);
    }
    publish(scene, 'A horse');
    await scene.pass();
    const target = { view: 'saved', id };
    const notification = { kind: 'saved', label: 'Zebras', title: 'The last zebra', count: 3, target };
    expect(scene.told()).toMatchObject([{ notifications: [notification], target, catchUp: false }]);
    expect(history(scene)).toMatchObject([{ ...notification, toldAt: expect.any(String) as string }]);
    await scene.pass(HOUR);
    expect(scene.told()).toEqual([]);
  });

  it('shares the notification of a poll with others, which opens the history', async () => {
    const scene = await openSettled();
    await scene.search('Zebras', 'zebra');
    await scene.search('Horses', 'horse');
    publish(scene, 'A zebra is a horse');
    await scene.pass();
    const [group, ...others] = scene.told();
    expect(others).toEqual([]);
    expect(group && news(group)).toEqual(['Zebras 1', 'Horses 1']);
    expect(group?.target).toEqual({ view: 'notifications' });
  });

  it('says nothing of a first download, nor of what a new rule finds among saved items', async () => {
    const scene = await openSettled();
    await scene.search('Everything', 'is:unread');
    await scene.pass();
    await scene.reopen((folder) => {
      for (const end of FILE_ENDS) rmSync(join(folder, `mirror.db${end}`), { force: true });
    });
    await scene.pass();
    await scene.search('All', 'is:unread OR is:read');
    await scene.pass(HOUR);
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toEqual([]);
  });

  it('says nothing of items that are hidden, of old ones that start as read, and of corrected ones', async () => {
    const scene = await openSettled({ unreadAtFirst: 'day' });
    await scene.search('Zebras', 'zebra');
    await scene.room.call('mutes.add', { query: 'quagga' });
    publish(scene, 'A zebra and a quagga');
    publish(scene, 'An old zebra', { publishedAt: '2026-03-10T00:00:00Z', discoveredAt: '2026-03-10T00:00:00Z' });
    const other = scene.service.control.allItems().find(({ title }) => !/zebra/i.test(title));
    scene.service.control.editItem(other?.id ?? '', { title: 'Now a zebra' });
    await scene.pass();
    expect(scene.told()).toEqual([]);
    // Both showed again by the reader are no news either.
    const { rules } = await scene.room.call('mutes.add', { query: 'quagga' });
    await scene.room.call('mutes.remove', { id: rules[0]?.id ?? '' });
    publish(scene, 'A new zebra');
    await scene.pass();
    expect(scene.told().map(news)).toEqual([['Zebras 1']]);
  });

  it('has what was selected later, once, however often it leaves and returns', async () => {
    const scene = await openSettled();
    await scene.search('Chosen', 'is:selected zebra');
    const { id } = publish(scene, 'A zebra', { selected: false });
    await scene.pass();
    expect(scene.told()).toEqual([]);
    scene.service.control.editItem(id, { selected: true });
    await scene.pass();
    expect(scene.told().map(news)).toEqual([['Chosen 1']]);
    for (let again = 0; again < 2; again += 1) {
      scene.service.control.leaveSet(id);
      await scene.pass();
      scene.service.control.restore(id);
      await scene.pass();
    }
    expect(scene.told()).toEqual([]);
  });

  it('never notifies of the same items after a restart, or a rebuild of the mirror', async () => {
    const scene = await openSettled();
    await scene.search('Zebras', 'zebra');
    publish(scene, 'A zebra');
    await scene.pass();
    expect(scene.told()).toHaveLength(1);
    await scene.reopen();
    await scene.pass();
    expect(scene.told()).toEqual([]);
    await scene.reopen((folder) => {
      for (const end of FILE_ENDS) rmSync(join(folder, `mirror.db${end}`), { force: true });
    });
    await scene.pass(HOUR);
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toMatchObject([{ label: 'Zebras', title: 'A zebra' }]);
    publish(scene, 'Another zebra');
    await scene.pass();
    expect(scene.told().map(news)).toEqual([['Zebras 1']]);
  });

  it('begins without news, and notifies again, if how far it was checked can’t be read', async () => {
    const scene = await openSettled();
    await scene.search('Zebras', 'zebra');
    await scene.reopen((folder) => {
      const user = new Database(join(folder, 'user.db'));
      const spoiled = user.prepare("UPDATE notification_progress SET value = '{' WHERE name = 'saved'").run();
      user.close();
      expect(spoiled.changes).toBe(1);
    });
    await scene.pass(HOUR);
    publish(scene, 'A zebra');
    await scene.pass();
    expect(scene.told().map(news)).toEqual([['Zebras 1']]);
  });

  it('waits for the end of quiet hours with all that came, but what was read, hidden or withdrawn', async () => {
    const scene = await openSettled({ quietHours: QUIET });
    // Waiting notifications have their own timer, so that the schedulers can't be waited for.
    await scene.use({ polling: 'byHand' });
    const sync = () => scene.room.call('sync.run', { urgency: 'now' });
    const search = await scene.search('Zebras', 'zebra');
    const read = publish(scene, 'A zebra that is read');
    const gone = publish(scene, 'A zebra that goes');
    await sync();
    publish(scene, 'A zebra and a quagga');
    publish(scene, 'The zebra that stays');
    await sync();
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toMatchObject([{ label: 'Zebras', count: 4, toldAt: null }]);
    await scene.room.call('items.mark', { ids: [read.id], mark: 'read' });
    scene.service.control.withdraw(gone.id);
    await scene.room.call('mutes.add', { query: 'quagga' });
    scene.clock.advance(3 * HOUR);
    await sync();
    expect(scene.room.queries.items.count({ ...ALL, text: 'goes' }, 0).count).toBe(0);
    expect(scene.told()).toEqual([]);
    // Until after six o'clock.
    scene.clock.advance(30 * MINUTE);
    expect(scene.told()).toMatchObject([
      {
        catchUp: true,
        target: { view: 'saved', id: search },
        notifications: [{ count: 1, title: 'The zebra that stays' }],
      },
    ]);
    expect(history(scene)).toHaveLength(1);
  });

  it('ends with its search: what waits of a removed one only stays in the history', async () => {
    const scene = await openSettled({ quietHours: QUIET });
    const id = await scene.search('Zebras', 'zebra');
    publish(scene, 'A zebra');
    await scene.pass();
    await scene.room.call('saved.remove', { id });
    await scene.use({ quietHours: NO_QUIET });
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toMatchObject([{ kind: 'saved', label: null, toldAt: null }]);
  });

  it('follows the switch of its kind: off keeps it in the history', async () => {
    const scene = await openSettled({ notify: { ...NOTIFY, saved: false } });
    await scene.search('Zebras', 'zebra');
    publish(scene, 'A zebra');
    await scene.pass();
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toMatchObject([{ label: 'Zebras', toldAt: null }]);
    await scene.use({ notify: NOTIFY });
    await scene.pass();
    expect(scene.told()).toEqual([]);
  });
});
