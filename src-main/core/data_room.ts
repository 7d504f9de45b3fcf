import { BroadsheetError } from '../contract/errors.ts';
import type { Ports } from '../contract/ports.ts';
import type { Settings } from '../contract/settings.ts';
import type { Backup, ImportReport } from '../contract/user_data.ts';
import type { StoreReader } from '../store/reader.ts';
import type { Engine } from '../sync/engine.ts';

export interface DataRoomPorts {
  ports: Ports;
  engine(): Engine;
  reader(): StoreReader;
  changeSettings(patch: Partial<Settings>): Promise<Settings>;
  /** Runs `work` while no file of the store is open. */
  withoutMirror(work: () => void): Promise<void>;
}

/** What is done with the reader's data as a whole, and with the files that hold it. */
export class DataRoom {
  readonly #room: DataRoomPorts;

  constructor(room: DataRoomPorts) {
    this.#room = room;
  }

  export(): Promise<{ name: string; text: string }> {
    return Promise.reject(notYet(this.#room));
  }
  import(_text: string): Promise<ImportReport> {
    return Promise.reject(notYet(this.#room));
  }
  backups(): Backup[] {
    return [];
  }
  backUp(): Promise<Backup[]> {
    return Promise.reject(notYet(this.#room));
  }
  restore(_name: string): Promise<void> {
    return Promise.reject(notYet(this.#room));
  }
  rebuildMirror(): Promise<void> {
    return Promise.reject(notYet(this.#room));
  }
}

function notYet(_room: DataRoomPorts): BroadsheetError {
  return new BroadsheetError('not_supported', 'Not yet.');
}
