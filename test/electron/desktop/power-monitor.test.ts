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

describe('a computer that wakes', () => {
  it('syncs once, even after several events', () => {
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

  it('syncs again after each sleep', () => {
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

  it('syncs when the network is available', () => {
    const { monitor, clock, state } = machine();
    state.online = false;
    monitor.emit('resume');
    clock.advance(20_000);
    expect(state.rounds).toBe(0);
    state.online = true;
    clock.advance(5_000);
    expect(state.rounds).toBe(1);
  });

  it('stops checking for a network after a while', () => {
    const { monitor, clock, state } = machine();
    state.online = false;
    monitor.emit('resume');
    clock.advance(10 * 60_000);
    expect(clock.pending).toBe(0);
    expect(state.rounds).toBe(0);
  });

  it('syncs after the next wake-up if it sleeps again at once', () => {
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

describe('a computer that shuts down', () => {
  it('waits until everything is closed', () => {
    const { monitor, state } = machine();
    expect(emitted(monitor, 'shutdown')).toBe(true);
    expect(state.quits).toBe(1);
  });

  it('shuts down normally if the event cannot be prevented', () => {
    const { monitor, state } = machine();
    monitor.emit('shutdown');
    expect(state.quits).toBe(1);
  });
});
