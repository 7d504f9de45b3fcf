import { beforeEach, describe, expect, it, vi } from 'vitest';
import { watchPower } from '../../../src-main/electron/desktop/power-monitor.ts';
import { fakeClock } from '../../support/clock.ts';
import { emitted, net, powerMonitor as monitor } from '../fake/electron.ts';

beforeEach(() => void monitor.removeAllListeners());

function machine() {
  const clock = fakeClock();
  const state = { online: true, rounds: 0, quits: 0 };
  vi.spyOn(net, 'isOnline').mockImplementation(() => state.online);
  watchPower({
    clock,
    catchUp: () => void (state.rounds += 1),
    quit: () => void (state.quits += 1),
  });
  return { clock, state };
}

describe('a computer that wakes', () => {
  it('syncs once, even after several events', () => {
    const { clock, state } = machine();
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
    const { clock, state } = machine();
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
    const { clock, state } = machine();
    state.online = false;
    monitor.emit('resume');
    clock.advance(20_000);
    expect(state.rounds).toBe(0);
    state.online = true;
    clock.advance(5_000);
    expect(state.rounds).toBe(1);
  });

  it('stops checking for a network after a while', () => {
    const { clock, state } = machine();
    state.online = false;
    monitor.emit('resume');
    clock.advance(10 * 60_000);
    expect(clock.pending).toBe(0);
    expect(state.rounds).toBe(0);
  });

  it('syncs after the next wake-up if it sleeps again at once', () => {
    const { clock, state } = machine();
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
    const { state } = machine();
    expect(emitted(monitor, 'shutdown')).toBe(true);
    expect(state.quits).toBe(1);
  });

  it('shuts down normally if the event cannot be prevented', () => {
    const { state } = machine();
    monitor.emit('shutdown');
    expect(state.quits).toBe(1);
  });
});
