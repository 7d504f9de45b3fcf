import { describe, expect, it, onTestFinished } from 'vitest';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { modelRecords, startGateway } from '../../support/gateway.ts';
import { openSettled, passDays, history, labelsOf } from '../../support/notification-scene.ts';

describe('a first run', () => {
  it('raises nothing, and leaves no history', async () => {
    const scene = await openSettled();
    await scene.sync();
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toEqual([]);
    expect(scene.room.events.filter(({ event }) => event === 'notifications.changed')).toEqual([]);
  });
});

describe('another service', () => {
  it('raises nothing at first, has its own history, and the first one continues where it was', async () => {
    const scene = await openSettled();
    passDays(scene);
    await scene.sync();
    expect(scene.told()).toHaveLength(1);
    const other = await startDemoService({ clock: scene.clock, content: { selected: 60, days: 12 }, seed: 7 });
    onTestFinished(() => other.close());

    await scene.reopen({ address: other.newsAddress });
    await scene.sync();
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toEqual([]);
    passDays({ clock: scene.clock, service: other });
    await scene.sync();
    expect(scene.told().map(labelsOf)).toEqual([['daily 2026-03-20']]);

    await scene.reopen({ address: scene.service.newsAddress });
    await scene.sync();
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toMatchObject([{ label: '2026-03-19' }]);
  });
});

describe('the history', () => {
  it('keeps the newest five hundred', async () => {
    const gateway = await startGateway({ models: modelRecords(1) });
    const { room } = await openSettled({ content: { selected: 1 }, gateway: gateway.asked() });
    room.engine.store.transaction(({ notifications, now }) => {
      for (let n = 0; n < 600; n += 1) {
        const target = { view: 'modelChanges' } as const;
        const found = { key: `made ${String(n)}`, mirror: gateway.address, kind: 'models' as const, count: 1, target };
        notifications.setState(notifications.add(found, 0) ?? 0, 'silent', now);
      }
    });
    gateway.models = modelRecords(2);
    await room.call('sync.run', { urgency: 'now' });
    const notifications = room.queries.notifications.list(1000);
    expect(notifications).toHaveLength(500);
    expect(notifications[0]).toMatchObject({ id: 601, kind: 'models', count: 1 });
  });
});
