import type { Failure } from '../../../src-main/contract/errors.ts';
import type { ResourceName } from '../../../src-main/contract/model/resource.ts';
import type { SyncHealth } from '../../../src-main/contract/model/visit.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';

/** How what is kept stands, while its page is open. */
export class HealthState {
  readonly #wire: Wire;
  #health = $state.raw<SyncHealth | null>(null);
  #failure = $state.raw<Failure | null>(null);
  #busy = $state<'checking' | 'asking' | null>(null);
  /** How many parts the last retry asked for; null before one. */
  #asked = $state<number | null>(null);
  #run = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get health(): SyncHealth | null {
    return this.#health;
  }
  get failure(): Failure | null {
    return this.#failure;
  }
  get busy(): 'checking' | 'asking' | null {
    return this.#busy;
  }
  get asked(): number | null {
    return this.#asked;
  }

  async load(): Promise<void> {
    await this.#read('health.get');
  }

  /** Lets the core look whether the databases are whole. */
  async check(): Promise<void> {
    if (this.#busy) return;
    this.#busy = 'checking';
    await this.#read('health.check');
    this.#busy = null;
  }

  /** Asks for one part, or for all, as far as the service permits. */
  async retry(resource?: ResourceName): Promise<void> {
    if (this.#busy) return;
    this.#busy = 'asking';
    this.#asked = null;
    const urgency = 'permitted';
    const reply = await this.#wire.call('sync.run', resource ? { urgency, resources: [resource] } : { urgency });
    if (reply.ok) this.#asked = Object.values(reply.value.resources).filter(({ status }) => status !== 'notDue').length;
    else this.#failure = reply.error;
    this.#busy = null;
    await this.load();
  }

  /** The app has seen what went wrong. */
  async dismissProblems(): Promise<void> {
    const reply = await this.#wire.call('problems.dismiss', {});
    if (reply.ok) await this.load();
    else this.#failure = reply.error;
  }

  async #read(method: 'health.get' | 'health.check'): Promise<void> {
    const run = ++this.#run;
    const reply = await this.#wire.call(method, {});
    if (run !== this.#run) return;
    if (reply.ok) this.#health = reply.value;
    this.#failure = reply.ok ? null : reply.error;
  }
}
