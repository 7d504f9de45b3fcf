import type { Failure } from '../../../src-main/contract/errors.ts';
import type { AcceptableResource, ResourceName } from '../../../src-main/contract/model/resource.ts';
import type { SyncHealth } from '../../../src-main/contract/model/sync-status.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';

/** The data behind the sync status dialog, while it is open. */
export class HealthState {
  readonly #wire: Wire;
  #health = $state.raw<SyncHealth | null>(null);
  #failure = $state.raw<Failure | null>(null);
  #busy = $state<'checking' | 'syncing' | null>(null);
  /** Number of resources that the last retry synced; null before the first. */
  #synced = $state<number | null>(null);
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
  get busy(): 'checking' | 'syncing' | null {
    return this.#busy;
  }
  get synced(): number | null {
    return this.#synced;
  }

  async load(): Promise<void> {
    await this.#read('health.get');
  }

  /** Checks the databases for corruption. */
  async check(): Promise<void> {
    if (this.#busy) return;
    this.#busy = 'checking';
    await this.#read('health.check');
    this.#busy = null;
  }

  /** Syncs one resource, or all, as far as the news source permits. */
  async retry(resource?: ResourceName): Promise<void> {
    if (this.#busy) return;
    this.#busy = 'syncing';
    this.#synced = null;
    const urgency = 'permitted';
    const reply = await this.#wire.call('sync.run', resource ? { urgency, resources: [resource] } : { urgency });
    if (reply.ok)
      this.#synced = Object.values(reply.value.resources).filter(({ status }) => status !== 'notDue').length;
    else this.#failure = reply.error;
    this.#busy = null;
    await this.load();
  }

  /** Accepts a smaller answer that waits for the reader's decision. */
  async accept(resource: AcceptableResource): Promise<void> {
    const reply = await this.#wire.call('sync.accept', { resource });
    if (reply.ok) await this.load();
    else this.#failure = reply.error;
  }

  /** Removes the problems that the user has seen from the list. */
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
