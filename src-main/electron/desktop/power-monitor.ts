import { net, powerMonitor } from 'electron';
import type { Clock } from '../../contract/ports.ts';

interface PowerPorts {
  clock: Pick<Clock, 'after'>;
  catchUp(): void;
  quit(): void;
}

/** A computer that wakes emits several events, and its network comes up later. */
const SETTLE_MS = 2_000;
const RETRY_MS = 5_000;
const MAX_CHECKS = 24;

export function watchPower({ clock, catchUp, quit }: PowerPorts): void {
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
  powerMonitor.on('suspend', cancel);
  powerMonitor.on('lock-screen', cancel);
  powerMonitor.on('resume', wakeUp);
  powerMonitor.on('unlock-screen', wakeUp);
  // Missing in the types, but documented: `preventDefault` delays the shutdown until the app has quit.
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault();
    quit();
  });
}
