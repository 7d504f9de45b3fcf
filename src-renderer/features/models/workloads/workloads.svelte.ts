import type { Reply } from '../../../../src-main/contract/api.ts';
import type { Failure } from '../../../../src-main/contract/errors.ts';
import type { Workload } from '../../../../src-main/contract/model/model.ts';
import type { Wire } from '../../../../src-main/contract/wire.ts';

/** What the app's work takes, under the names that it was kept by, and the one that costs are counted for. */
export class WorkloadsState {
  readonly #wire: Wire;
  #all = $state.raw<readonly Workload[]>([]);
  /** Null while the app has chosen none: then it is the first. */
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

  /** Keeps a workload and counts with it. Answers why it could not be kept. */
  async save(workload: Workload): Promise<Failure | null> {
    const failure = this.#take(await this.#wire.call('workloads.save', { workload }));
    if (failure) return failure;
    const saved = this.#all.find(({ name }) => name === workload.name);
    if (saved?.id !== undefined) this.#activeId = saved.id;
    return null;
  }

  async remove(id: number): Promise<Failure | null> {
    return this.#take(await this.#wire.call('workloads.remove', { id }));
  }

  #take(reply: Reply<{ workloads: Workload[] }>): Failure | null {
    if (!reply.ok) return reply.error;
    this.#all = reply.value.workloads;
    return null;
  }
}
