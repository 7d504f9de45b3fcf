import { describe, expect, it } from 'vitest';
import type { NewNotification } from '../../../src-main/contract/model/notification.ts';
import { modelRecord, modelRecords, startGateway } from '../../support/gateway.ts';
import {
  ALL_ON,
  HOUR,
  MINUTE,
  QUIET,
  daily,
  history,
  openSettled,
  passDays,
  type Scene,
} from '../../support/notification-scene.ts';

/** As a hook gets it, since this run began. */
const found = ({ room }: Scene): NewNotification[] =>
  room.events.flatMap((heard) => (heard.event === 'notifications.found' ? heard.payload.notifications : []));

/** A command that syncs once and ends. */
async function openCommand(findsNews = true): Promise<Scene> {
  return openSettled({ started: false, findsNews });
}

describe('news for a hook', () => {
  it('is found once, with what it is about', async () => {
    const scene = await openSettled();
    passDays(scene);
    await scene.sync();
    await scene.sync();
    expect(found(scene)).toMatchObject([
      { kind: 'daily', label: '2026-03-19', target: daily('2026-03-19'), item: null },
    ]);
    expect(found(scene)[0]?.title).not.toBe('');
    await scene.reopen();
    await scene.sync();
    expect(found(scene)).toEqual([]);
  });

  it('is found in quiet hours, and if its kind is off, at once', async () => {
    const quietHours = { ...QUIET, from: '00:00', to: '23:59' };
    for (const settings of [{ quietHours }, { notify: { ...ALL_ON, daily: false } }]) {
      const scene = await openSettled({ settings });
      passDays(scene);
      await scene.sync();
      expect(found(scene)).toMatchObject([{ label: '2026-03-19', toldAt: null }]);
      expect(scene.told()).toEqual([]);
    }
  });

  it('has the first new item of a saved search, again for those that come while the notification is held back', async () => {
    const quietHours = { ...QUIET, from: '00:00', to: '23:59' };
    const scene = await openSettled({ settings: { quietHours, notify: { ...ALL_ON, daily: false } } });
    await scene.room.call('saved.add', { name: 'Zebras', query: 'zebra', notify: true });
    await expect.poll(() => scene.room.queries.rules.progress()).toBeNull();
    const publish = async (...titles: string[]): Promise<string[]> => {
      const ids = titles.map((title) => {
        scene.clock.advance(MINUTE);
        return scene.service.control.addItem({ title }).id;
      });
      scene.clock.advance(10 * MINUTE);
      await scene.sync();
      return ids;
    };
    const [, second] = await publish('A zebra', 'Another zebra');
    const [third] = await publish('A third zebra');
    expect(found(scene)).toMatchObject([
      { kind: 'saved', label: 'Zebras', count: 2, title: 'Another zebra', item: { id: second } },
      { kind: 'saved', label: 'Zebras', count: 1, title: 'A third zebra', item: { id: third } },
    ]);
    expect(found(scene)[0]?.item?.link).toMatch(/^https?:/);
    expect(history(scene)).toMatchObject([{ kind: 'saved', count: 3 }]);
  });

  it('tells a changed price from other changes of models', async () => {
    const gateway = await startGateway({ models: modelRecords(3) });
    const scene = await openSettled({ content: { selected: 1 }, gateway: gateway.asked() });
    gateway.models = [...modelRecords(3), modelRecord('made/new')];
    await scene.sync();
    gateway.models = gateway.models.map((record, at) =>
      at === 0 ? { ...record, pricing: { prompt: '0.5' } } : record,
    );
    await scene.sync();
    expect(found(scene)).toMatchObject([
      { kind: 'models', count: 1, priceChanged: false },
      { kind: 'models', count: 1, priceChanged: true },
    ]);
  });

  it('is not what was read elsewhere, or comes late', async () => {
    const scene = await openSettled();
    passDays(scene);
    await scene.room.call('reports.mark', { kind: 'daily', label: '2026-03-19', read: true });
    await scene.sync();
    expect(history(scene)).toHaveLength(1);
    expect(found(scene)).toEqual([]);
  });
});

describe('news that a command finds', () => {
  it('is notified by the next running app, once, and not as a catch-up', async () => {
    const scene = await openCommand();
    passDays(scene);
    await scene.sync();
    expect(found(scene)).toMatchObject([{ label: '2026-03-19' }]);
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toMatchObject([{ label: '2026-03-19', toldAt: null }]);
    await scene.reopen();
    scene.clock.advance(MINUTE);
    expect(scene.told()).toMatchObject([{ catchUp: false, notifications: [{ label: '2026-03-19' }] }]);
    await scene.sync();
    expect([scene.told(), found(scene)]).toEqual([[], []]);
  });

  it('leaves what quiet hours hold back a catch-up', async () => {
    const scene = await openSettled({ settings: { quietHours: { ...QUIET, from: '08:00', to: '20:00' } } });
    passDays(scene);
    await scene.sync();
    await scene.reopen({ started: false, findsNews: true });
    await scene.sync();
    await scene.reopen({ started: true });
    scene.clock.advance(6 * HOUR);
    expect(scene.told()).toMatchObject([{ catchUp: true, notifications: [{ label: '2026-03-19' }] }]);
  });

  it('is looked for only if there is a hook', async () => {
    const scene = await openCommand(false);
    passDays(scene);
    await scene.sync();
    expect([found(scene), history(scene)]).toEqual([[], []]);
    expect(scene.room.queries.notifications.progress(scene.service.newsAddress, 'daily')).toBeNull();
  });
});
