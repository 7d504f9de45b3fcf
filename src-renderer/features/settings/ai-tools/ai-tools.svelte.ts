import type { Result } from '../../../../src-main/contract/methods.ts';
import type { Wire } from '../../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../../api/async-resource.svelte.ts';
import type { SettingsState } from '../settings.svelte.ts';

/** The command by which AI tools reach the saved data. */
export class AiToolsState {
  readonly #wire: Wire;
  readonly command = new AsyncResource<Result<'mcp.command'>>();

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  static in(settings: SettingsState): AiToolsState {
    return settings.part((wire) => new AiToolsState(wire));
  }

  async load(): Promise<void> {
    await this.command.read(this.#wire.call('mcp.command', {}));
  }
}
