import { m } from '../../../src-main/common/i18n/messages.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { Action } from '../../ui/action.svelte.ts';
import type { Outcome } from '../../ui/feedback/outcome.ts';
import type { SettingsState } from './settings.svelte.ts';

/** A check for a newer version, started by hand. */
export class UpdateCheck {
  readonly #wire: Wire;
  readonly #action = new Action<'check'>();

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  static in(settings: SettingsState): UpdateCheck {
    return settings.part((wire) => new UpdateCheck(wire));
  }

  get outcome(): Outcome | null {
    return this.#action.outcomeOf('check');
  }

  async run(): Promise<void> {
    await this.#action.run('check', () => this.#wire.call('updates.check', {}), {
      meanwhile: m.settings_updates_checking(),
      done: ({ newest }) =>
        newest === null ? m.settings_updates_newest() : m.settings_updates_newer({ version: newest }),
    });
  }
}
