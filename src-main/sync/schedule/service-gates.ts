import { plausibleWait, type ServiceGate } from '../../clients/http/retry-after.ts';
import { toFailure } from '../../contract/errors.ts';
import type { GatewaySource } from '../../contract/model/model.ts';
import type { NewsSource } from '../../contract/model/sync-status.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { ServicePause, Store } from '../../store/index.ts';
import { catalogueName, mirrorName } from '../engine/services.ts';

interface GatePorts {
  store: Store;
  clock: Clock;
  log: Log;
}

/** Independent of the demo's port. */
export function newsGateName(source: Pick<NewsSource, 'address' | 'demo' | 'harsh'>): string {
  return `news ${mirrorName(source)}`;
}

export function gatewayGateName(source: GatewaySource): string {
  return `gateway ${catalogueName(source)}`;
}

/**
 * In ms since 1970; 0 without a pause. If the clock was set back, the whole pause counts from now: when it would have
 * ended is no longer known.
 */
export function endOfPause(pause: ServicePause | null, now: number): number {
  if (pause === null) return 0;
  // An earlier version saved spans of any length.
  return Math.min(pause.since, now) + plausibleWait(pause.span);
}

/** A Retry-After pauses a whole service, whichever request received it, and applies after a restart, too. */
export class ServiceGates {
  readonly #ports: GatePorts;
  /** A full disk must not cancel a Retry-After. */
  readonly #pauses = new Map<string, ServicePause | null>();

  constructor(ports: GatePorts) {
    this.#ports = ports;
  }

  of(name: string): ServiceGate {
    const remaining = (): number => Math.max(0, this.pausedUntil(name) - this.#ports.clock.now());
    return {
      get left() {
        return remaining();
      },
      close: (ms) => this.#close(name, ms),
    };
  }

  /** In ms since 1970; in the past if the service isn't paused. */
  pausedUntil(name: string): number {
    const now = this.#ports.clock.now();
    const pause = this.#pause(name);
    if (pause && pause.since > now) this.#save(name, { since: now, span: pause.span });
    return endOfPause(pause, now);
  }

  #close(name: string, ms: number): void {
    const now = this.#ports.clock.now();
    // The answer that asks for more time counts.
    const span = Math.max(ms, this.pausedUntil(name) - now);
    this.#save(name, { since: now, span });
  }

  #pause(name: string): ServicePause | null {
    const known = this.#pauses.get(name);
    if (known !== undefined) return known;
    const saved = this.#ports.store.queries.schedule.servicePause(name);
    this.#pauses.set(name, saved);
    return saved;
  }

  #save(name: string, pause: ServicePause): void {
    this.#pauses.set(name, pause);
    try {
      this.#ports.store.transaction(({ schedule, now }) => {
        schedule.pauseService(name, pause, now);
      });
    } catch (error) {
      const { code, message } = toFailure(error);
      this.#ports.log('error', message, { code });
    }
  }
}
