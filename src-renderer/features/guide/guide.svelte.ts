import type { GuidePage } from '../../../src-main/contract/model/sync-status.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../api/async-resource.svelte.ts';

export class GuideState {
  readonly #wire: Wire;
  readonly page = new AsyncResource<GuidePage>();

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  async load(): Promise<void> {
    this.page.clear();
    await this.page.read(this.#wire.call('guide.open', {}));
  }
}
