import Database from 'better-sqlite3';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NotificationGroup } from '../../../src-main/contract/model/notification.ts';
import { DEFAULT_SETTINGS } from '../../../src-main/contract/settings.ts';
import type { EngineSettings } from '../../../src-main/sync/engine/types.ts';
import {
  ALL_ON,
  history,
  HOUR,
  MINUTE,
  NO_QUIET,
  openSettled as openScene,
  type Scene,
} from '../../support/notification-scene.ts';
import { EVERYTHING, removeMirror } from '../../support/store.ts';

/** Only saved searches, so that reports don't come between. */
const NOTIFY = { ...ALL_ON, daily: false, weekly: false, monthly: false };
const QUIET = { on: true, from: '14:00', to: '18:00' };

const openSettled = (settings: Partial<EngineSettings> = {}): Promise<Scene> =>
  openScene({ content: { selected: 30, days: 2 }, settings: { notify: NOTIFY, ...settings } });

async function pass({ clock, sync }: Scene, ms = 10 * MINUTE): Promise<void> {
  clock.advance(ms);
  await sync();
}

async function search({ room }: Scene, name: string, query: string): Promise<string> {
  const { id } = await room.call('saved.add', { name, query, notify: true });
  await expect.poll(() => room.queries.rules.progress()).toBeNull();
  return id;
}

/** Another run, which downloads everything again. */
async function rebuild(scene: Scene): Promise<void> {
  await scene.room.engine.close();
  removeMirror(scene.folder);
  await scene.reopen();
}

const publish = ({ service }: Scene, title: string, fields = {}) => service.control.addItem({ title, ...fields });
const news = ({ notifications }: NotificationGroup) =>
  notifications.map(({ label, count }) => `${label ?? ''} ${String(count)}`);

describe('a saved search that notifies', () => {
  it('is off by default, and the switch can be changed', async () => {
    expect(DEFAULT_SETTINGS.notify.saved).toBe(true);
    const scene = await openSettled();
    const { id, searches } = await scene.room.call('saved.add', { name: 'Zebras', query: 'zebra' });
    expect(searches).toMatchObject([{ notify: false }]);
    publish(scene, 'A zebra was seen');
    await pass(scene);
    expect(scene.told()).toEqual([]);
    await scene.room.call('saved.change', { id, notify: true });
    await pass(scene);
    // Earlier items are no news.
    expect(scene.told()).toEqual([]);
    publish(scene, 'Another zebra');
    await pass(scene);
    expect(scene.told().map(news)).toEqual([['Zebras 1']]);
    await scene.room.call('saved.change', { id, notify: false });
    publish(scene, 'A third zebra');
    await pass(scene);
    expect(scene.told()).toEqual([]);
  });

  it('has one notification a poll, with the newest title, which opens it', async () => {
    const scene = await openSettled();
    const id = await search(scene, 'Zebras', 'zebra');
    for (const title of ['One zebra', 'Two zebras, no: a zebra', 'The last zebra']) {
      publish(scene, title);
      scene.clock.advance(1_000);
    }
    publish(scene, 'A horse');
    await pass(scene);
    const target = { view: 'saved', id };
    const notification = { kind: 'saved', label: 'Zebras', title: 'The last zebra', count: 3, target };
    expect(scene.told()).toMatchObject([{ notifications: [notification], target, catchUp: false }]);
    expect(history(scene)).toMatchObject([{ ...notification, toldAt: expect.any(String) as string }]);
    await pass(scene, HOUR);
    expect(scene.told()).toEqual([]);
  });

  it('says nothing of a first download, nor of what a new rule finds among saved items', async () => {
    const scene = await openSettled();
    await search(scene, 'Everything', 'is:unread');
    await pass(scene);
    await rebuild(scene);
    await pass(scene);
    await search(scene, 'All', 'is:unread OR is:read');
    await pass(scene, HOUR);
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toEqual([]);
  });

  it('says nothing of items that are hidden, of old ones that start as read, and of corrected ones', async () => {
    const scene = await openSettled({ unreadAtFirst: 'day' });
    await search(scene, 'Zebras', 'zebra');
    await scene.room.call('mutes.add', { query: 'quagga' });
    publish(scene, 'A zebra and a quagga');
    publish(scene, 'An old zebra', { publishedAt: '2026-03-10T00:00:00Z', discoveredAt: '2026-03-10T00:00:00Z' });
    const other = scene.service.control.allItems().find(({ title }) => !/zebra/i.test(title));
    scene.service.control.editItem(other?.id ?? '', { title: 'Now a zebra' });
    await pass(scene);
    expect(scene.told()).toEqual([]);
    // Both showed again by the reader are no news either.
    const { rules } = await scene.room.call('mutes.add', { query: 'quagga' });
    await scene.room.call('mutes.remove', { id: rules[0]?.id ?? '' });
    publish(scene, 'A new zebra');
    await pass(scene);
    expect(scene.told().map(news)).toEqual([['Zebras 1']]);
  });

  it('has what was selected later, once, however often it leaves and returns', async () => {
    const scene = await openSettled();
    await search(scene, 'Chosen', 'is:selected zebra');
    const { id } = publish(scene, 'A zebra', { selected: false });
    await pass(scene);
    expect(scene.told()).toEqual([]);
    scene.service.control.editItem(id, { selected: true });
    await pass(scene);
    expect(scene.told().map(news)).toEqual([['Chosen 1']]);
    for (let again = 0; again < 2; again += 1) {
      scene.service.control.leaveSet(id);
      await pass(scene);
      scene.service.control.restore(id);
      await pass(scene);
    }
    expect(scene.told()).toEqual([]);
  });

  it('never notifies of the same items after a restart, or a rebuild of the mirror', async () => {
    const scene = await openSettled();
    await search(scene, 'Zebras', 'zebra');
    publish(scene, 'A zebra');
    await pass(scene);
    expect(scene.told()).toHaveLength(1);
    await scene.reopen();
    await pass(scene);
    expect(scene.told()).toEqual([]);
    await rebuild(scene);
    await pass(scene, HOUR);
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toMatchObject([{ label: 'Zebras', title: 'A zebra' }]);
    publish(scene, 'Another zebra');
    await pass(scene);
    expect(scene.told().map(news)).toEqual([['Zebras 1']]);
  });

  it('begins without news, and notifies again, if how far it was checked can’t be read', async () => {
    const scene = await openSettled();
    await search(scene, 'Zebras', 'zebra');
    await scene.room.engine.close();
    const user = new Database(join(scene.folder, 'user.db'));
    const spoiled = user.prepare("UPDATE notification_progress SET value = '{' WHERE name = 'saved'").run();
    user.close();
    expect(spoiled.changes).toBe(1);
    await scene.reopen();
    await pass(scene, HOUR);
    publish(scene, 'A zebra');
    await pass(scene);
    expect(scene.told().map(news)).toEqual([['Zebras 1']]);
  });

  it('waits for the end of quiet hours with all that came, but what was read, hidden or withdrawn', async () => {
    const scene = await openSettled({ quietHours: QUIET });
    const id = await search(scene, 'Zebras', 'zebra');
    const read = publish(scene, 'A zebra that is read');
    const gone = publish(scene, 'A zebra that goes');
    await scene.sync();
    publish(scene, 'A zebra and a quagga');
    publish(scene, 'The zebra that stays');
    await scene.sync();
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toMatchObject([{ label: 'Zebras', count: 4, toldAt: null }]);
    await scene.room.call('items.mark', { ids: [read.id], mark: 'read' });
    scene.service.control.withdraw(gone.id);
    await scene.room.call('mutes.add', { query: 'quagga' });
    scene.clock.advance(3 * HOUR);
    await scene.sync();
    expect(scene.room.queries.items.count({ ...EVERYTHING, text: 'goes' }, 0).count).toBe(0);
    expect(scene.told()).toEqual([]);
    // Until after six o'clock.
    scene.clock.advance(30 * MINUTE);
    expect(scene.told()).toMatchObject([
      {
        catchUp: true,
        target: { view: 'saved', id },
        notifications: [{ count: 1, title: 'The zebra that stays' }],
      },
    ]);
    expect(history(scene)).toHaveLength(1);
  });

  it('ends with its search: what waits of a removed one only stays in the history', async () => {
    const scene = await openSettled({ quietHours: QUIET });
    const id = await search(scene, 'Zebras', 'zebra');
    publish(scene, 'A zebra');
    await pass(scene);
    await scene.room.call('saved.remove', { id });
    await scene.use({ quietHours: NO_QUIET });
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toMatchObject([{ kind: 'saved', label: null, toldAt: null }]);
  });
});
