import type { SourceList } from '../../../src-main/contract/model/source.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../api/async-resource.svelte.ts';

/** A longer list is searched, not scrolled. */
const MOST = 50;
/** The limit of the contract. */
const LONGEST_TEXT = 200;

/** The sources to choose from in a filter, the most frequent first. */
export class SourceChoices {
  readonly #wire: Wire;
  readonly found = new AsyncResource<SourceList>();

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Finds sources by a part of their names; all without a text. */
  async find(text: string): Promise<void> {
    const wanted = text.trim().slice(0, LONGEST_TEXT);
    const args = { sort: 'frequency', offset: 0, limit: MOST } as const;
    await this.found.read(this.#wire.call('sources.list', wanted === '' ? args : { ...args, text: wanted }));
  }
}
