import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEY, modelRecord, modelRecords, OTHER_KEY, startGateway } from '../../support/gateway.ts';
import { MINUTE, type SceneOptions, openSettled, history } from '../../support/notification-scene.ts';

describe('changes of models', () => {
  async function openListed(options: SceneOptions = {}) {
    const gateway = await startGateway({ models: modelRecords(5), embeddings: modelRecords(2, 'vectors') });
    const scene = await openSettled({ content: { selected: 1 }, gateway: gateway.asked(), ...options });
    return { gateway, scene };
  }

  it('are one notification per model list, with the number of models', async () => {
    const { gateway, scene } = await openListed();
    gateway.models = [modelRecord('made/new'), ...modelRecords(5).slice(2)];
    gateway.embeddings = [...modelRecords(2, 'vectors'), modelRecord('vectors/new')];
    await scene.sync();
    expect(scene.told()).toMatchObject([
      {
        target: { view: 'modelChanges' },
        notifications: [
          {
            kind: 'models',
            count: 1,
            title: 'The vectors/new',
            target: { modelList: 'embeddings', id: 'vectors/new' },
          },
          { kind: 'models', count: 3, title: '', target: { view: 'modelChanges' } },
        ],
      },
    ]);
    await scene.sync();
    await scene.reopen();
    await scene.sync();
    expect(scene.told()).toEqual([]);
  });

  it('that only another key shows are not notified', async () => {
    const { gateway, scene } = await openListed();
    gateway.modelsOf.set(OTHER_KEY, modelRecords(3));
    await scene.room.engine.useGateway(gateway.asked(OTHER_KEY));
    await scene.sync();
    expect(scene.room.queries.models.refreshes(gateway.address, 5)).toHaveLength(1);
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toEqual([]);
    gateway.modelsOf.set(OTHER_KEY, modelRecords(2));
    await scene.sync();
    expect(scene.told()).toMatchObject([{ notifications: [{ count: 1, target: { view: 'modelChanges' } }] }]);
  });

  it('of a new gateway start after its first model list, and those of the previous one are removed', async () => {
    const { gateway, scene } = await openListed();
    gateway.models = modelRecords(4);
    await scene.sync();
    expect(scene.told()).toHaveLength(1);
    const other = await startGateway({ models: modelRecords(9), embeddings: [] });
    await scene.room.engine.useGateway(other.asked(KEY));
    await scene.sync();
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toEqual([]);
    other.models = modelRecords(8);
    await scene.sync();
    expect(scene.told()).toMatchObject([{ notifications: [{ count: 1 }] }]);
    await scene.room.engine.useGateway(gateway.asked(KEY));
    await scene.sync();
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toHaveLength(1);
  });

  it('start over with another user.db, and skip nothing afterwards', async () => {
    const { gateway, scene } = await openListed();
    for (const count of [4, 3, 2]) {
      gateway.models = modelRecords(count);
      await scene.sync();
    }
    expect(scene.told()).toHaveLength(3);
    await scene.room.engine.close();
    for (const file of ['user.db', 'user.db-wal', 'user.db-shm']) {
      rmSync(join(scene.folder, file), { force: true });
    }
    scene.clock.leap(MINUTE);
    await scene.reopen();
    await scene.sync();
    expect(scene.told()).toEqual([]);
    gateway.models = modelRecords(1);
    await scene.sync();
    expect(scene.told()).toMatchObject([{ notifications: [{ kind: 'models', count: 1 }] }]);
  });
});
