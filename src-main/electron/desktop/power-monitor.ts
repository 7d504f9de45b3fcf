import type { Net, PowerMonitor } from 'electron';
import type { Clock } from '../../contract/ports.ts';

interface PowerPorts {
  monitor: Pick<PowerMonitor, 'on'>;
  net: Pick<Net, 'isOnline'>;
  clock: Pick<Clock, 'after'>;
  /** One round of what is due. */
  catchUp(): void;
  quit(): void;
}

/** A machine that wakes tells of it more than once, and its network comes a little later. */
const SETTLE_MS = 2_000;
const LOOK_AGAIN_MS = 5_000;
/** After so long the clock's own looks at the network have to do. */
const MOST_LOOKS = 24;

/** What the machine goes through, as far as the clock of the polling does not see it by itself. */
export function watchPower({ monitor, quit, ...ports }: PowerPorts): void {
  const wakeUp = new WakeUp(ports);
  monitor.on('suspend', () => wakeUp.cancel());
  monitor.on('lock-screen', () => wakeUp.cancel());
  monitor.on('resume', () => wakeUp.begin());
  monitor.on('unlock-screen', () => wakeUp.begin());
  // The types know no event here; Electron's own pages have one, and hold the system back by it until the app is gone.
  monitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault();
    quit();
  });
}

/** Asks once for what became due while nobody was there, as soon as the network is. */
class WakeUp {
  readonly #ports: Pick<PowerPorts, 'net' | 'clock' | 'catchUp'>;
  #cancel: (() => void) | null = null;

  constructor(ports: Pick<PowerPorts, 'net' | 'clock' | 'catchUp'>) {
    this.#ports = ports;
  }

  begin(): void {
    if (!this.#cancel) this.#look(SETTLE_MS, MOST_LOOKS);
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #look(wait: number, looks: number): void {
    const { net, clock, catchUp } = this.#ports;
    this.#cancel = clock.after(wait, () => {
      this.#cancel = null;
      if (net.isOnline()) catchUp();
      else if (looks > 1) this.#look(LOOK_AGAIN_MS, looks - 1);
    });
  }
}
