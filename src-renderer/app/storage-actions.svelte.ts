import { m } from '../../src-main/common/i18n/messages.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { Action, type Outcome } from '../ui/action.svelte.ts';

/** Restores a backup or dismisses a warning. The sync status shows the warnings that are left. */
export class StorageActions {
  readonly #wire: Wire;
  /** By the id of a warning. */
  readonly #action = new Action<string>();

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  outcomeOf(id: string): Outcome | null {
    return this.#action.outcomeOf(id);
  }

  /** Replaces user.db with a backup; the page then reads everything again, because of the event `data.replaced`. */
  async restore(id: string, name: string): Promise<void> {
    await this.#action.run(id, () => this.#wire.call('data.restore', { name }), {
      meanwhile: m.settings_data_restoring(),
      done: () => m.settings_data_restored(),
    });
  }

  async dismiss(id: string): Promise<void> {
    await this.#action.run(id, () => this.#wire.call('data.dismissWarning', { id }));
  }
}
