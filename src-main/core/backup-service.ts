import { isDeepStrictEqual } from 'node:util';
import { BroadsheetError } from '../contract/errors.ts';
import type { Ports } from '../contract/ports.ts';
import type { Settings } from '../contract/settings.ts';
import { USER_DATA_FORMAT, USER_DATA_VERSION, type Backup, type ImportResult } from '../contract/user-data.ts';
import { listBackups, type Queries, removeMirror, restoreBackup, soundBackup } from '../store/index.ts';
import type { Engine } from '../sync/engine/types.ts';
import { formatUserData, parseUserData } from '../sync/engine/methods/user-data-file.ts';
import { checkSettings } from './settings/settings.ts';
import { explainWriteError } from './files/atomic-write.ts';

export interface BackupServicePorts {
  ports: Ports;
  engine(): Engine;
  queries(): Queries;
  changeSettings(patch: Partial<Settings>): Promise<Settings>;
  /** Runs `work` while no file of the store is open. */
  withoutMirror(work: () => void): Promise<void>;
}

/** What is done with the reader's data as a whole, and with the files that hold it. */
export class BackupService {
  readonly #room: BackupServicePorts;

  constructor(room: BackupServicePorts) {
    this.#room = room;
  }

  /** All that the reader did and chose (docs/user-data.md), without the key and without anything of this machine's place. */
  async export(): Promise<{ name: string; text: string }> {
    const { ports, queries } = this.#room;
    const exportedAt = new Date(ports.clock.now()).toISOString();
    const head = { format: USER_DATA_FORMAT, version: USER_DATA_VERSION, exportedAt } as const;
    const text = formatUserData({ ...head, settings: ports.settings.get(), tables: queries().userData.tables() });
    return { name: `broadsheet-${exportedAt.slice(0, 10)}.json`, text };
  }

  /**
   * Settings first: where they cannot be stored, nothing was changed. Errors: `invalid_argument`, `data_newer`, `disk_full`,
   * `data_read_only`.
   */
  async import(text: string): Promise<ImportResult> {
    const { ports, engine, changeSettings } = this.#room;
    const { settings } = parseUserData(text);
    // Before anything changes: it is an engine that can take it in.
    engine();
    const patch = changesOf(ports.settings.get(), settings);
    if (Object.keys(patch).length > 0) await changeSettings(patch);
    const report = await engine().call('data.import', { text });
    return { ...report, settings: settings !== undefined };
  }

  /** Newest first. */
  backups(): Backup[] {
    return listBackups(this.#folder);
  }

  /** Errors: `disk_full`, `data_read_only`, `not_supported` for a store in memory. */
  async backUp(): Promise<Backup[]> {
    const { backups } = await this.#room.engine().call('data.backUp', {});
    return backups;
  }

  /** Errors: `not_found`, `data_unreadable`, `data_newer`, `disk_full`, `data_read_only`; then everything is as it was. */
  async restore(name: string): Promise<void> {
    const folder = this.#onDisk();
    // Before the files are closed for it.
    soundBackup(folder, name);
    await this.#room.withoutMirror(() => {
      this.#explained(() => restoreBackup(folder, name, this.#room.ports.clock.now()));
    });
  }

  async rebuildMirror(): Promise<void> {
    const folder = this.#onDisk();
    await this.#room.withoutMirror(() => {
      this.#explained(() => removeMirror(folder));
    });
  }

  get #folder(): string {
    return this.#room.ports.dataFolder;
  }

  #onDisk(): string {
    if (this.#folder !== ':memory:') return this.#folder;
    throw new BroadsheetError('not_supported', 'This Broadsheet keeps everything in memory; there are no files.');
  }

  #explained(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw explainWriteError(this.#folder, error);
    }
  }
}

/** What would be other settings than those that hold now. What is not valid in the file is as it is now. */
function changesOf(now: Settings, file: unknown): Partial<Settings> {
  const wanted = Object.entries(checkSettings(file, now));
  return Object.fromEntries(wanted.filter(([name, value]) => !isDeepStrictEqual(value, now[name as keyof Settings])));
}
