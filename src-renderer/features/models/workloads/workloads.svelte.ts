import type { Reply } from '../../../../src-main/contract/methods.ts';
import type { Wire } from '../../../../src-main/contract/wire.ts';
import type { Failure } from '../../../../src-main/contract/errors.ts';
import type { Workload } from '../../../../src-main/contract/model/model.ts';

/** The saved workloads, and the one that costs are estimated for. */
export class WorkloadsState {
  readonly #wire: Wire;
  #all = $state.raw<readonly Workload[]>([]);
  /** Null until one is chosen: then the first one is used. */
  #activeId = $state<number | null>(null);

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on('data.replaced', () => void this.load());
    wire.on('workloads.changed', ({ workloads }) => (this.#all = workloads));
  }

  get all(): readonly Workload[] {
    return this.#all;
  }
  get active(): Workload | null {
    return this.#all.find(({ id }) => id === this.#activeId) ?? this.#all[0] ?? null;
  }

  use(id: number): void {
    this.#activeId = id;
  }

  async load(): Promise<void> {
    const reply = await this.#wire.call('workloads.list', {});
    if (reply.ok) this.#all = reply.value.workloads;
  }

  /** Saves a workload and uses it. Resolves to the failure, if any. */
  async save(workload: Workload): Promise<Failure | null> {
    const failure = this.#receive(await this.#wire.call('workloads.save', { workload }));
    if (failure) return failure;
    const saved = this.#all.find(({ name }) => name === workload.name);
    if (saved?.id !== undefined) this.#activeId = saved.id;
    return null;
  }

  async remove(id: number): Promise<Failure | null> {
    return this.#receive(await this.#wire.call('workloads.remove', { id }));
  }

  #receive(reply: Reply<{ workloads: Workload[] }>): Failure | null {
    if (!reply.ok) return reply.error;
    this.#all = reply.value.workloads;
    return null;
  }
}
