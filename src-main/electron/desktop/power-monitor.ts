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

export function watchPower({ monitor, quit, ...ports }: PowerPorts): void {
  const wakeUp = new WakeUp(ports);
  monitor.on('suspend', () => wakeUp.cancel());
  monitor.on('lock-screen', () => wakeUp.cancel());
  monitor.on('resume', () => wakeUp.begin());
  monitor.on('unlock-screen', () => wakeUp.begin());
  // Missing in the types, but documented: `preventDefault` delays the shutdown until the app has quit.
  monitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault();
    quit();
  });
}

class WakeUp {
  readonly #ports: Pick<PowerPorts, 'net' | 'clock' | 'catchUp'>;
  #cancel: (() => void) | null = null;

  constructor(ports: Pick<PowerPorts, 'net' | 'clock' | 'catchUp'>) {
    this.#ports = ports;
  }

  begin(): void {
    if (!this.#cancel) this.#check(SETTLE_MS, MAX_CHECKS);
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #check(wait: number, checks: number): void {
    const { net, clock, catchUp } = this.#ports;
    this.#cancel = clock.after(wait, () => {
      this.#cancel = null;
      if (net.isOnline()) catchUp();
      else if (checks > 1) this.#check(RETRY_MS, checks - 1);
    });
  }
}
