import { m } from '../../../../src-main/common/i18n/messages.ts';
import type { MarksFolder } from '../../../../src-main/contract/model/marks-folder.ts';
import type { Wire } from '../../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../../api/async-resource.svelte.ts';
import { Action } from '../../../ui/action.svelte.ts';
import type { Outcome } from '../../../ui/feedback/outcome.ts';
import type { SettingsState } from '../settings.svelte.ts';

/** The folder through which machines share marks. Only one task runs at a time. */
export class MarksFolderState {
  readonly #wire: Wire;
  readonly #action = new Action<'choose' | 'set' | 'compare' | 'off' | 'remove'>();
  readonly status = new AsyncResource<MarksFolder>();

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  static in(settings: SettingsState): MarksFolderState {
    return settings.part((wire) => new MarksFolderState(wire));
  }

  get busy(): boolean {
    return this.#action.busy;
  }

  /** The outcome of the last task; without one, why the folder could not be used. */
  get outcome(): Outcome | null {
    const said = (['choose', 'set', 'compare', 'off', 'remove'] as const)
      .map((task) => this.#action.outcomeOf(task))
      .find((outcome) => outcome !== null);
    const failure = this.status.value?.failure ?? this.status.failure;
    return said ?? (failure ? { failure } : null);
  }

  async load(): Promise<void> {
    await this.status.read(this.#wire.call('marksFolder.get', {}));
  }

  /** Lets the reader choose a folder, if the host has a dialog for that. Null if none was chosen. */
  async choose(): Promise<string | null> {
    const chosen = await this.#action.run('choose', () => this.#wire.call('marksFolder.choose', {}), {
      meanwhile: '',
      done: () => null,
    });
    return chosen?.folder ?? null;
  }

  /** Encrypts with a passphrase; null for none. Returns false if the folder could not be used. */
  async set(folder: string, options: { passphrase?: string | null; settings?: boolean } = {}): Promise<boolean> {
    const choice = { folder, ...options };
    const status = await this.#action.run('set', () => this.#wire.call('marksFolder.set', choice), {
      meanwhile: m.settings_marks_comparing(),
      done: saidOf,
    });
    return this.#took(status);
  }

  async compare(): Promise<void> {
    const status = await this.#action.run('compare', () => this.#wire.call('marksFolder.compare', {}), {
      meanwhile: m.settings_marks_comparing(),
      done: saidOf,
    });
    this.#took(status);
  }

  async off(): Promise<void> {
    const status = await this.#action.run('off', () => this.#wire.call('marksFolder.off', {}), {
      meanwhile: '',
      done: () => m.settings_marks_is_off(),
    });
    this.#took(status);
  }

  async remove(machine: string): Promise<void> {
    const status = await this.#action.run('remove', () => this.#wire.call('marksFolder.remove', { machine }), {
      meanwhile: m.settings_marks_removing(),
      done: () => m.settings_marks_removed(),
    });
    this.#took(status);
  }

  #took(status: MarksFolder | null): boolean {
    if (status) this.status.put(status);
    return status !== null;
  }
}

/** Returns null if the folder could not be used: the failure is shown then. */
function saidOf({ failure }: MarksFolder): string | null {
  return failure ? null : m.settings_marks_compared_now();
}
