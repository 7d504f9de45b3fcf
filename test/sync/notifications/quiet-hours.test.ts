import { describe, expect, it } from 'vitest';
import {
  ALL_ON,
  DAY,
  HOUR,
  MINUTE,
  NO_QUIET,
  QUIET,
  ZONE,
  daily,
  history,
  openSettled,
  type Scene,
  type SceneOptions,
} from '../../support/notification-scene.ts';

describe('quiet hours', () => {
  /** Past eight in the morning, and quiet until nine: a daily is saved, and its notification is held back. */
  async function openHeld(options: SceneOptions = {}): Promise<Scene> {
    const scene = await openSettled({ settings: { quietHours: QUIET }, ...options });
    scene.clock.leap(17 * HOUR + 40 * MINUTE);
    await scene.sync();
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toMatchObject([{ label: '2026-03-19', toldAt: null }]);
    return scene;
  }
  const CATCH_UP = { target: daily('2026-03-19'), catchUp: true };

  it('hold a notification back, and end with one catch-up', async () => {
    const scene = await openHeld();
    scene.clock.advance(49 * MINUTE);
    expect(scene.told()).toEqual([]);
    scene.clock.advance(MINUTE);
    expect(scene.told()).toMatchObject([CATCH_UP]);
    expect(history(scene)).toMatchObject([{ toldAt: '2026-03-19T01:00:00.000Z' }]);
    scene.clock.advance(DAY);
    await scene.sync();
    expect(scene.told()).toEqual([]);
  });

  it('end while Broadsheet is off: the first sync afterwards raises the catch-up', async () => {
    const scene = await openHeld();
    await scene.room.engine.close();
    scene.clock.leap(2 * HOUR);
    await scene.reopen();
    expect(scene.told()).toEqual([]);
    await scene.sync();
    expect(scene.told()).toMatchObject([CATCH_UP]);
    await scene.reopen();
    await scene.sync();
    expect(scene.told()).toEqual([]);
  });

  it('that are switched off or moved end at once', async () => {
    for (const quietHours of [NO_QUIET, { ...QUIET, to: '08:05' }]) {
      const scene = await openHeld();
      await scene.use({ quietHours });
      expect(scene.told()).toMatchObject([CATCH_UP]);
    }
  });

  it('do not catch up on a kind that was switched off meanwhile, even if it is on again', async () => {
    const scene = await openHeld();
    await scene.use({ notify: { ...ALL_ON, daily: false } });
    await scene.use({ notify: ALL_ON });
    scene.clock.advance(2 * HOUR);
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toMatchObject([{ label: '2026-03-19', toldAt: null }]);
  });

  it('use the current time zone', async () => {
    let zone = ZONE;
    const scene = await openHeld({ zone: () => zone });
    zone = 'America/New_York';
    scene.clock.advance(MINUTE);
    expect(scene.told()).toMatchObject([CATCH_UP]);
    zone = ZONE;
    await scene.sync();
    scene.clock.advance(DAY);
    expect(scene.told()).toEqual([]);
  });

  it('leave no timer behind if Broadsheet is closed meanwhile', async () => {
    const scene = await openHeld();
    await scene.room.engine.close();
    expect(scene.clock.pending).toBe(0);
  });
});
