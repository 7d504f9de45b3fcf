import { plausibleWait, type ServiceGate } from '../../clients/http/retry-after.ts';
import { toFailure } from '../../contract/errors.ts';
import type { GatewaySource } from '../../contract/model/model.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { NewsSource } from '../../contract/model/sync-status.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import type { ServicePause, Store } from '../../store/index.ts';
import { serviceName } from '../engine/services.ts';
import { reportsOf } from './due-rules.ts';

interface GatePorts {
  store: Store;
  clock: Clock;
  log: Log;
}

export function newsGateName(source: Pick<NewsSource, 'address' | 'demo' | 'harsh'>): string {
  return serviceName(source);
}

export function gatewayGateName(source: GatewaySource): string {
  return `gateway ${serviceName(source)}`;
}

/** In ms since 1970; 0 without a pause. If the clock was set back, the whole pause counts from now. */
export function endOfPause(pause: ServicePause | null, now: number): number {
  return pause === null ? 0 : Math.min(pause.since, now) + plausibleWait(pause.span);
}

/** A Retry-After pauses a whole service, also after a restart. */
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

  pausedUntil(name: string): number {
    const now = this.#ports.clock.now();
    const pause = this.#pause(name);
    if (pause && pause.since > now) this.#save(name, { since: now, span: pause.span });
    return endOfPause(pause, now);
  }

  #close(name: string, ms: number): void {
    const now = this.#ports.clock.now();
    // The longer pause counts.
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
      this.#ports.store.transaction(({ schedule }) => {
        schedule.pauseService(name, pause);
      });
    } catch (error) {
      const { code, message } = toFailure(error);
      this.#ports.log('error', message, { code });
    }
  }
}

const MINUTE = 60_000;
/** In ms. A report is due within five minutes, pause included. */
const MAX_WAIT = 5 * MINUTE;
const MAX_WAIT_FOR_REPORTS = 2 * MINUTE;
/** Times the length of the pause. */
const SHARE = 3;

/** Spreads what all installations would send right after a Retry-After (document 1 section 7, docs/scale.md). */
export class Resumption {
  readonly #max: number;
  #pausedUntil = 0;
  #at = 0;

  constructor(resource: ResourceName) {
    this.#max = reportsOf(resource) === null ? MAX_WAIT : MAX_WAIT_FOR_REPORTS;
  }

  /** Draws once for each pause; without a wait if it is already over, as after a restart. */
  after(pausedUntil: number, now: number, draw: () => number): number {
    if (pausedUntil === this.#pausedUntil) return this.#at;
    const left = Math.max(0, pausedUntil - now);
    this.#pausedUntil = pausedUntil;
    this.#at = pausedUntil + Math.round(Math.min(this.#max, SHARE * left) * draw());
    return this.#at;
  }
}
