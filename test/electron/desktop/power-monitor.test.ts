import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { watchPower } from '../../../src-main/electron/desktop/power-monitor.ts';
import { fakeClock } from '../../support/clock.ts';
import { emitted } from '../fake/electron.ts';

function machine() {
  const monitor = new EventEmitter();
  const clock = fakeClock();
  const state = { online: true, rounds: 0, quits: 0 };
  watchPower({
    monitor: monitor as never,
    net: { isOnline: () => state.online },
    clock,
    catchUp: () => void (state.rounds += 1),
    quit: () => void (state.quits += 1),
  });
  return { monitor, clock, state };
}

describe('a machine that wakes', () => {
  it('is asked for what is due once, however often it says so', () => {
    const { monitor, clock, state } = machine();
    monitor.emit('suspend');
    clock.leap(3 * 24 * 3_600_000);
    monitor.emit('resume');
    monitor.emit('unlock-screen');
    expect(state.rounds).toBe(0);
    clock.advance(60_000);
    expect(state.rounds).toBe(1);
    expect(clock.pending).toBe(0);
  });

  it('is asked once more after each sleep', () => {
    const { monitor, clock, state } = machine();
    for (let night = 1; night <= 3; night += 1) {
      monitor.emit('lock-screen');
      monitor.emit('suspend');
      clock.leap(8 * 3_600_000);
      monitor.emit('resume');
      clock.advance(10_000);
      expect(state.rounds).toBe(night);
    }
  });

  it('is asked when its network is there', () => {
    const { monitor, clock, state } = machine();
    state.online = false;
    monitor.emit('resume');
    clock.advance(20_000);
    expect(state.rounds).toBe(0);
    state.online = true;
    clock.advance(5_000);
    expect(state.rounds).toBe(1);
  });

  it('without a network is left to the clock after a while', () => {
    const { monitor, clock, state } = machine();
    state.online = false;
    monitor.emit('resume');
    clock.advance(10 * 60_000);
    expect(clock.pending).toBe(0);
    expect(state.rounds).toBe(0);
  });

  it('and sleeps again at once is asked the next time', () => {
    const { monitor, clock, state } = machine();
    monitor.emit('resume');
    monitor.emit('suspend');
    clock.advance(60_000);
    expect(state.rounds).toBe(0);
    monitor.emit('resume');
    clock.advance(60_000);
    expect(state.rounds).toBe(1);
  });
});

describe('a machine that shuts down', () => {
  it('waits until everything is closed', () => {
    const { monitor, state } = machine();
    expect(emitted(monitor, 'shutdown')).toBe(true);
    expect(state.quits).toBe(1);
  });

  it('is left in peace where nothing can hold it', () => {
    const { monitor, state } = machine();
    monitor.emit('shutdown');
    expect(state.quits).toBe(1);
  });
});
