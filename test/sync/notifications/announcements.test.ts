import { expect, it, onTestFinished } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src-main/contract/settings.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { openEngine } from '../../../src-main/sync/engine/engine.ts';
import { engineSettings } from '../../../src-main/sync/engine/types.ts';
import { fakeClock } from '../../support/clock.ts';

it('a sync does not fail because its status could not be published', async () => {
  const clock = fakeClock();
  const service = await startDemoService({ clock, content: { selected: 5 } });
  onTestFinished(() => service.close());
  const warnings: string[] = [];
  const source = { address: service.newsAddress, demo: false, from: 'option' } as const;
  const engine = openEngine(
    { dataFolder: ':memory:', source, gateway: null, version: '1.2.3', settings: engineSettings(DEFAULT_SETTINGS) },
    {
      clock,
      log: (level, message) => {
        if (level === 'warn') warnings.push(message);
      },
      emit: (event) => {
        if (event === 'sync.changed') throw new Error('nobody can hear this');
      },
    },
  );
  onTestFinished(() => engine.close());
  expect(await engine.service['sync.run']({ urgency: 'now' })).toMatchObject({ ok: true, counts: { selected: 5 } });
  expect(new Set(warnings)).toEqual(new Set(['Publishing the sync status failed']));
});
