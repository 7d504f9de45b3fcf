import { describe, expect, it } from 'vitest';
import { Scheduler } from '../../../src-main/sync/schedule/scheduler.ts';
import { fakeClock, type FakeClock } from '../../support/clock.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

interface Rounds {
  clock: FakeClock;
  scheduler: Scheduler;
  /** Start of each sync, in ms since the start. */
  begun: number[];
  errors: unknown[];
  dueIn(ms: number): void;
}

/** `work` is what a round does besides being counted. */
function startRounds(
  firstDueIn: number | (() => number),
  work: (rounds: Rounds) => Promise<void> | void = () => undefined,
): Rounds {
  const clock = fakeClock();
  const start = clock.now();
  let due = typeof firstDueIn === 'number' ? () => start + firstDueIn : firstDueIn;
  const rounds: Rounds = {
    clock,
    begun: [],
    errors: [],
    dueIn: (ms) => {
      const at = clock.now() + ms;
      due = () => at;
    },
    scheduler: new Scheduler(clock, {
      dueAt: () => due(),
      run: async () => {
        rounds.begun.push(clock.now() - start);
        await work(rounds);
      },
      onError: (error) => rounds.errors.push(error),
    }),
  };
  rounds.scheduler.start();
  return rounds;
}

/** Moves the clock on and lets what was woken set its next timer. */
async function pass({ clock }: Rounds, ms: number): Promise<void> {
  clock.advance(ms);
  await new Promise((resolve) => setImmediate(resolve));
}

describe('the scheduler', () => {
  it('syncs at once what is due, and then not too early', async () => {
    const rounds = startRounds(0, ({ dueIn }) => dueIn(30 * SECOND));
    await pass(rounds, 0);
    await pass(rounds, 30 * SECOND - 1);
    expect(rounds.begun).toEqual([0]);
    await pass(rounds, 1);
    expect(rounds.begun).toEqual([0, 30 * SECOND]);
  });

  it('checks the clock every minute, however far the next sync is', async () => {
    const rounds = startRounds(150 * SECOND, ({ dueIn }) => dueIn(10 * MINUTE));
    for (let n = 0; n < 3; n += 1) await pass(rounds, MINUTE);
    expect(rounds.begun).toEqual([150 * SECOND]);
    expect(rounds.clock.pending).toBe(1);
  });

  it('syncs once after the computer was asleep', async () => {
    const rounds = startRounds(MINUTE, ({ dueIn }) => dueIn(3 * MINUTE));
    await pass(rounds, 0);
    await pass(rounds, 24 * 60 * MINUTE);
    expect(rounds.begun).toHaveLength(1);
  });

  it('does not loop when what is due stays due', async () => {
    const rounds = startRounds(0);
    for (let n = 0; n < 10; n += 1) await pass(rounds, SECOND / 2);
    expect(rounds.begun.length).toBeLessThanOrEqual(6);
  });

  it('wakes at once when nudged, and has one timer only', async () => {
    const rounds = startRounds(10 * MINUTE, ({ dueIn }) => dueIn(10 * MINUTE));
    await pass(rounds, SECOND);
    rounds.dueIn(0);
    rounds.scheduler.nudge();
    await pass(rounds, 0);
    expect(rounds.begun).toEqual([SECOND]);
    rounds.scheduler.nudge();
    await pass(rounds, 0);
    expect(rounds.begun).toHaveLength(1);
    expect(rounds.clock.pending).toBe(1);
    rounds.scheduler.stop();
    rounds.scheduler.nudge();
    expect(rounds.clock.pending).toBe(0);
  });

  it('continues after a failed sync, and reports it', async () => {
    const failure = new Error('Set by a test.');
    const rounds = startRounds(0, ({ dueIn, begun }) => {
      dueIn(30 * SECOND);
      if (begun.length === 1) throw failure;
    });
    await pass(rounds, 0);
    await pass(rounds, 30 * SECOND);
    expect(rounds.begun).toHaveLength(2);
    expect(rounds.errors).toEqual([failure]);
  });

  it('continues if the next due time is unavailable once', async () => {
    let isBroken = false;
    const rounds = startRounds(
      () => {
        if (isBroken) throw new Error('disk full');
        return 0;
      },
      () => void (isBroken = true),
    );
    await pass(rounds, 0);
    expect([rounds.begun, rounds.errors]).toEqual([[0], [new Error('disk full')]]);
    isBroken = false;
    await pass(rounds, MINUTE);
    expect(rounds.begun).toEqual([0, MINUTE]);
  });

  it('sets no timer after it is stopped, also during a sync', async () => {
    let finish: (() => void) | undefined;
    const rounds = startRounds(0, () => new Promise((resolve) => (finish = resolve)));
    await pass(rounds, 0);
    rounds.scheduler.stop();
    finish!();
    await pass(rounds, 24 * 60 * MINUTE);
    expect(rounds.begun).toHaveLength(1);
    expect(rounds.clock.pending).toBe(0);
  });
});
