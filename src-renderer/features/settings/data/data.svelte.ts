import { m } from '../../../../src-main/common/i18n/messages.ts';
import type { Result } from '../../../../src-main/contract/methods.ts';
import type { ImportResult } from '../../../../src-main/contract/user-data.ts';
import type { Wire } from '../../../../src-main/contract/wire.ts';
import { Action } from '../../../ui/action.svelte.ts';
import { AsyncResource } from '../../../api/async-resource.svelte.ts';
import { language } from '../../../ui/language.svelte.ts';
import type { Outcome } from '../../../ui/feedback/outcome.ts';
import type { SettingsState } from '../settings.svelte.ts';

export type DataTask = 'show' | 'choose' | 'export' | 'import' | 'backUp' | 'restore' | 'rebuild' | 'removeParked';

/** The data folder, export and import, backups, rebuilding, and downloads of other services. Only one task runs at a time. */
export class DataState {
  readonly #wire: Wire;
  readonly #onReplaced: () => Promise<void>;
  readonly #action = new Action<DataTask>();
  readonly folder = new AsyncResource<Result<'data.folder'>>();
  readonly backups = new AsyncResource<Result<'data.backups'>>();
  /** Downloaded news of services that were used before. */
  readonly parked = new AsyncResource<Result<'data.parkedMirrors'>>();

  constructor(wire: Wire, onReplaced: () => Promise<void>) {
    this.#wire = wire;
    this.#onReplaced = onReplaced;
  }

  /** `onReplaced` reloads the page after its data was replaced. */
  static in(settings: SettingsState, onReplaced: () => Promise<void>): DataState {
    return settings.part((wire) => new DataState(wire, onReplaced));
  }

  /** True if another task than this one is running. */
  blocks(task: DataTask): boolean {
    return this.#action.busy && !this.#action.does(task);
  }

  outcomeOf(task: DataTask): Outcome | null {
    return this.#action.outcomeOf(task);
  }

  async load(): Promise<void> {
    await Promise.all([this.folder.read(this.#wire.call('data.folder', {})), this.#loadBackups(), this.#loadParked()]);
  }

  async showFolder(): Promise<void> {
    await this.#action.run('show', () => this.#wire.call('data.showFolder', {}), { meanwhile: '', done: () => null });
  }

  async chooseFolder(): Promise<void> {
    await this.#action.run('choose', () => this.#wire.call('data.chooseFolder', {}), {
      meanwhile: '',
      done: ({ folder }) => (folder === null ? null : m.settings_data_chosen({ folder })),
    });
  }

  /** Resolves to the exported file, or null if that failed. */
  export(): Promise<Result<'data.export'> | null> {
    return this.#action.run('export', () => this.#wire.call('data.export', {}), {
      meanwhile: m.settings_data_exporting(),
      done: ({ name }) => m.settings_data_exported({ name }),
    });
  }

  async import(text: string): Promise<void> {
    const imported = await this.#action.run('import', () => this.#wire.call('data.import', { text }), {
      meanwhile: m.settings_data_importing(),
      done: importText,
    });
    if (imported) await this.#onReplaced();
  }

  async backUp(): Promise<void> {
    const made = await this.#action.run('backUp', () => this.#wire.call('data.backUp', {}), {
      meanwhile: m.settings_data_backing_up(),
      done: () => m.settings_data_backed_up(),
    });
    if (made) this.backups.put(made);
  }

  async restore(name: string): Promise<void> {
    const restored = await this.#action.run('restore', () => this.#wire.call('data.restore', { name }), {
      meanwhile: m.settings_data_restoring(),
      done: () => m.settings_data_restored(),
    });
    if (restored) await Promise.all([this.#onReplaced(), this.#loadBackups()]);
  }

  async rebuild(): Promise<void> {
    const rebuilt = await this.#action.run('rebuild', () => this.#wire.call('data.rebuildMirror', {}), {
      meanwhile: m.settings_data_rebuilding(),
      done: () => m.settings_data_rebuilt(),
    });
    if (rebuilt) await this.#onReplaced();
  }

  async removeParked(id: string): Promise<void> {
    const left = await this.#action.run('removeParked', () => this.#wire.call('data.removeParkedMirror', { id }), {
      meanwhile: m.settings_data_service_removing(),
      done: () => m.settings_data_service_removed(),
    });
    if (left) this.parked.put(left);
  }

  async #loadParked(): Promise<void> {
    await this.parked.read(this.#wire.call('data.parkedMirrors', {}));
  }

  async #loadBackups(): Promise<void> {
    await this.backups.read(this.#wire.call('data.backups', {}));
  }
}

function importText({ taken, unchanged, skipped, settings }: ImportResult): string {
  return language.sentences(
    m.settings_data_imported({ taken, unchanged }),
    ...(skipped > 0 ? [m.settings_data_skipped({ count: skipped })] : []),
    ...(settings ? [m.settings_data_settings_taken()] : []),
  );
}
