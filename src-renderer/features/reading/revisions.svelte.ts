import type { Failure } from '../../../src-main/contract/errors.ts';
import type { Revision } from '../../../src-main/contract/model/item.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../api/async-resource.svelte.ts';

/** The earlier versions of the open item. */
export class RevisionsState {
  readonly #wire: Wire;
  readonly #list = new AsyncResource<{ revisions: Revision[] }>();
  #id: string | null = null;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Newest first; null until they are first loaded, or if that failed. */
  get revisions(): readonly Revision[] | null {
    return this.#list.value?.revisions ?? null;
  }
  get failure(): Failure | null {
    return this.#list.failure;
  }

  /** Loads the revisions of an item. Those of the same item stay during a reload. */
  async load(id: string): Promise<void> {
    if (id !== this.#id) this.#list.clear();
    this.#id = id;
    await this.#list.read(this.#wire.call('items.revisions', { id }));
  }

  async retry(): Promise<void> {
    if (this.#id !== null) await this.load(this.#id);
  }
}
