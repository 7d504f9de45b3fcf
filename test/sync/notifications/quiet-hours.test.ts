import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../support/clock.ts';
import {
  ALL_ON,
  DAY,
  HOUR,
  MINUTE,
  NO_QUIET,
  QUIET,
  START,
  ZONE,
  daily,
  history,
  labelsOf,
  openSettled,
  passDays,
  type Scene,
  type SceneOptions,
} from '../../support/notification-scene.ts';
import { casesOf } from '../../support/proofs.ts';

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

  it('end while Broadsheet is off, without a sync: raised a minute after the start', async () => {
    const scene = await openHeld();
    await scene.room.engine.close();
    scene.clock.leap(2 * HOUR);
    await scene.reopen();
    scene.clock.advance(MINUTE);
    expect(scene.told()).toMatchObject([CATCH_UP]);
    scene.clock.advance(HOUR);
    expect(scene.told()).toEqual([]);
  });

  it('end while the computer sleeps: raised soon after it wakes', async () => {
    const scene = await openHeld();
    scene.clock.leap(5 * HOUR);
    expect(scene.told()).toEqual([]);
    scene.clock.advance(MINUTE);
    expect(scene.told()).toMatchObject([CATCH_UP]);
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

  it('end with one notification, together with what the sync found', async () => {
    const scene = await openHeld();
    await scene.room.engine.close();
    passDays(scene);
    scene.clock.leap(2 * HOUR);
    await scene.reopen();
    await scene.sync();
    expect(scene.told()).toMatchObject([
      { catchUp: true, notifications: [{ label: '2026-03-20' }, { label: '2026-03-19' }] },
    ]);
  });

  it('leave no timer behind if Broadsheet is closed meanwhile', async () => {
    const scene = await openHeld();
    await scene.room.engine.close();
    expect(scene.clock.pending).toBe(0);
  });
});

describe('a clock that is changed', () => {
  it.each(casesOf([[-400 * DAY], [-DAY], [-HOUR], [HOUR], [400 * DAY]], [0, 2]))(
    'by %i ms raises nothing twice, and not many at once',
    async (ms) => {
      // The service's stays as it is.
      const clock = fakeClock(START);
      const scene = await openSettled({ clock });
      passDays(scene);
      clock.leap(DAY);
      await scene.sync();
      expect(scene.told().map(labelsOf)).toEqual([['daily 2026-03-19']]);
      for (const change of [ms, -ms]) {
        clock.leap(change);
        await scene.sync();
        await scene.reopen();
        await scene.sync();
        expect(scene.told()).toEqual([]);
      }
      passDays(scene);
      await scene.sync();
      expect(scene.told().map(labelsOf)).toEqual([['daily 2026-03-20']]);
      expect(history(scene)).toHaveLength(2);
    },
  );

  it('while something is held raises it once, by the time of the clock', async () => {
    const clock = fakeClock(START);
    const scene = await openSettled({ clock, settings: { quietHours: QUIET } });
    passDays(scene);
    clock.leap(10 * HOUR);
    await scene.sync();
    expect(scene.told()).toEqual([]);
    // Half past midnight; then it is set back to the afternoon, and on to the next night.
    clock.leap(-6 * HOUR);
    clock.advance(MINUTE);
    expect(scene.told()).toMatchObject([{ catchUp: true, notifications: [{ label: '2026-03-19' }] }]);
    clock.leap(6 * HOUR);
    await scene.sync();
    clock.advance(DAY);
    expect(scene.told()).toEqual([]);
  });
});
