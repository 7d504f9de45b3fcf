import type { Net, PowerMonitor } from 'electron';
import type { Clock } from '../../contract/ports.ts';

interface PowerPorts {
  monitor: Pick<PowerMonitor, 'on'>;
  net: Pick<Net, 'isOnline'>;
  clock: Pick<Clock, 'after'>;
  catchUp(): void;
  quit(): void;
}

/** A computer that wakes emits several events, and its network comes up later. */
const SETTLE_MS = 2_000;
const RETRY_MS = 5_000;
const MAX_CHECKS = 24;

export function watchPower({ monitor, net, clock, catchUp, quit }: PowerPorts): void {
  let cancelCheck: (() => void) | null = null;
  const cancel = (): void => {
    cancelCheck?.();
    cancelCheck = null;
  };
  const check = (wait: number, checks: number): void => {
    cancelCheck = clock.after(wait, () => {
      cancelCheck = null;
      if (net.isOnline()) catchUp();
      else if (checks > 1) check(RETRY_MS, checks - 1);
    });
  };
  const wakeUp = (): void => {
    if (!cancelCheck) check(SETTLE_MS, MAX_CHECKS);
  };
  monitor.on('suspend', cancel);
  monitor.on('lock-screen', cancel);
  monitor.on('resume', wakeUp);
  monitor.on('unlock-screen', wakeUp);
  // Missing in the types, but documented: `preventDefault` delays the shutdown until the app has quit.
  monitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault();
    quit();
  });
}
