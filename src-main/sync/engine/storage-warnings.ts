import { BroadsheetError } from '../../contract/errors.ts';
import type { StorageWarning } from '../../contract/model/sync-status.ts';
import type { Store } from '../../store/index.ts';

/** The warnings about stored files: those that were found before the store was opened, and those of the store. */
export class StorageWarnings {
  readonly #store: Store;
  #early: readonly StorageWarning[];

  constructor(early: readonly StorageWarning[], store: Store) {
    // The folder itself remembers the files that were set aside, and which of them are dealt with.
    this.#early = store.folder === ':memory:' ? early : early.filter(({ setAsideAs }) => setAsideAs === null);
    this.#store = store;
  }

  list(): StorageWarning[] {
    const { storageWarnings } = this.#store;
    const known = new Set(storageWarnings.map(idOf));
    return [...this.#early.filter((warning) => !known.has(idOf(warning))), ...storageWarnings];
  }

  /** Ends a warning, named by the file that was set aside, else by the file. Errors: `not_found`, `data_read_only`. */
  dismiss(id: string): void {
    const rest = this.#early.filter((warning) => idOf(warning) !== id);
    const isEarly = rest.length < this.#early.length;
    this.#early = rest;
    if (!this.#store.dismissWarning(id) && !isEarly) {
      throw new BroadsheetError('not_found', `There is no warning about ${id}.`);
    }
  }
}

function idOf({ file, setAsideAs }: StorageWarning): string {
  return setAsideAs ?? file;
}
