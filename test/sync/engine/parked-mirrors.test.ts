import { describe, expect, it, onTestFinished } from 'vitest';
import type { ParkedMirror } from '../../../src-main/contract/user-data.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { listParkedMirrors } from '../../../src-main/store/index.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openTestStore } from '../../support/store.ts';
import { openTestEngine, type TestEngine } from '../../support/test-engine.ts';

const DAY = 24 * 3_600_000;

interface Scene extends TestEngine {
  list(): ParkedMirror[];
  parked(): number;
}

/** An engine in a folder with a mirror that was parked when the engine was opened. */
async function openScene(keepServicesDays: number | null): Promise<Scene> {
  const clock = fakeClock();
  const folder = temporaryFolder();
  openTestStore({ folder, source: 'https://other.example', clock }).close();
  const service = await startDemoService({ clock, content: { selected: 3 } });
  onTestFinished(() => service.close());
  const opened = openTestEngine({ address: service.newsAddress, clock, folder, settings: { keepServicesDays } });
  const list = (): ParkedMirror[] => listParkedMirrors(folder);
  return { ...opened, list, parked: () => list().length };
}

describe('the mirror of a service that is no longer used', () => {
  it('is deleted by a sync after the time in the settings', async () => {
    const { call, clock, parked } = await openScene(90);
    clock.advance(89 * DAY);
    await call('sync.run', { urgency: 'now' });
    expect(parked()).toBe(1);
    clock.advance(2 * DAY);
    await call('sync.run', { urgency: 'now' });
    expect(parked()).toBe(0);
  });

  it('is kept for ever if the settings say so, and deleted soon after they change', async () => {
    const { call, clock, engine, settings, parked } = await openScene(null);
    clock.advance(1000 * DAY);
    await call('sync.run', { urgency: 'now' });
    expect(parked()).toBe(1);
    await engine.useSettings({ ...settings, keepServicesDays: 30 });
    await call('sync.run', { urgency: 'now' });
    expect(parked()).toBe(0);
  });

  it('is deleted on request', async () => {
    const { call, parked, list } = await openScene(90);
    const { mirrors } = await call('data.removeParkedMirror', { id: list()[0]?.id ?? '' });
    expect([mirrors, parked()]).toEqual([[], 0]);
  });
});
