import { isDeepStrictEqual } from 'node:util';
import { BroadsheetError } from '../contract/errors.ts';
import type { Ports } from '../contract/ports.ts';
import type { Settings } from '../contract/settings.ts';
import type { ImportResult } from '../contract/user-data.ts';
import { type FolderLock, restoreBackup, type Restored, soundBackup } from '../store/index.ts';
import { parseUserData } from '../sync/engine/user-data-file.ts';
import type { Engine } from './types.ts';
import { checkSettings } from './settings/settings-file.ts';
import { explainWriteError } from './files/atomic-write.ts';

export interface BackupServicePorts {
  ports: Ports;
  engine(): Engine;
  build(): string | null;
  changeSettings(patch: Partial<Settings>): Promise<Settings>;
  /** The folder stays locked while the files are closed. */
  withoutMirror(work: FileWork): Promise<void>;
}

export type FileWork = (lock: FolderLock) => Restored | null;

export class BackupService {
  readonly #room: BackupServicePorts;

  constructor(room: BackupServicePorts) {
    this.#room = room;
  }

  /**
   * All or nothing: saves settings first, and restores them if the data, in one transaction, can't be saved. Errors:
   * `invalid_argument`, `data_newer`, `disk_full`, `data_read_only`.
   */
  async import(text: string): Promise<ImportResult> {
    const { ports, engine, changeSettings } = this.#room;
    const { settings } = parseUserData(text);
    engine();
    const before = ports.settings.get();
    const patch = changesOf(before, settings);
    const changed = Object.keys(patch) as (keyof Settings)[];
    if (changed.length > 0) await changeSettings(patch);
    try {
      const report = await engine().call('data.import', { text });
      return { ...report, settings: settings !== undefined };
    } catch (error) {
      const old = Object.fromEntries(changed.map((name) => [name, before[name]]));
      if (changed.length > 0) await changeSettings(old).catch(() => ports.log('error', 'Imported settings stay'));
      throw error;
    }
  }

  /** Errors: `not_found`, `data_unreadable`, `data_newer`, `disk_full`, `data_read_only`; nothing has changed then. */
  async restore(name: string): Promise<void> {
    const folder = this.#onDisk();
    soundBackup(folder, name);
    await this.#room.withoutMirror((lock) =>
      this.#explainErrors(() => restoreBackup(folder, name, this.#room.ports.clock.now(), lock)),
    );
  }

  /** Keeps the saved news in use until the download is complete. Errors: those of the service and of the store. */
  async rebuildMirror(): Promise<void> {
    const { engine, withoutMirror, build } = this.#room;
    this.#onDisk();
    const built = await engine().call('rebuild');
    await withoutMirror(() => null);
    if (build() !== built) throw notReplaced();
  }

  get #folder(): string {
    return this.#room.ports.dataFolder;
  }

  #onDisk(): string {
    if (this.#folder !== ':memory:') return this.#folder;
    throw new BroadsheetError('not_supported', 'All data is in memory only, so there are no files to back up.');
  }

  #explainErrors<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw explainWriteError(this.#folder, error);
    }
  }
}

function notReplaced(): BroadsheetError {
  const message =
    'The news was downloaded again but could not replace what is saved, which is unchanged. Free some space on the disk, close other programs that use the data folder, and try again.';
  return new BroadsheetError('data_unreadable', message, { retryable: true });
}

function changesOf(now: Settings, file: unknown): Partial<Settings> {
  const wanted = Object.entries(checkSettings(file, now));
  return Object.fromEntries(wanted.filter(([name, value]) => !isDeepStrictEqual(value, now[name as keyof Settings])));
}
