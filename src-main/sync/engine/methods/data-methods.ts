import { listBackups, listParkedMirrors, readUserRows, removeParkedMirror, type Store } from '../../../store/index.ts';
import type { Emit } from '../../../contract/events.ts';
import type { StorageWarnings } from '../storage-warnings.ts';
import type { Clock } from '../../../contract/ports.ts';
import type { EngineBodies } from '../types.ts';
import { parseUserData } from './user-data-file.ts';

interface MethodPorts {
  clock: Clock;
  store: Store;
  emit: Emit;
  warnings: StorageWarnings;
  /** The warnings changed. */
  onChange(): void;
}

/** Methods that concern user.db or the data folder as a whole. */
export const dataMethods = ({ clock, store, emit, warnings, onChange }: MethodPorts) =>
  ({
    // Tables only: the engine doesn't manage settings. In one transaction: half an import would look like a whole one.
    'data.import': ({ text }) => {
      const { rows, skipped } = readUserRows(parseUserData(text).tables, clock.now());
      const report = store.transaction(({ userData }) => userData.take(rows));
      if (report.taken > 0) emit('data.replaced', {});
      return { ...report, skipped: report.skipped + skipped, settings: false };
    },
    'data.removeParkedMirror': ({ id }) => {
      removeParkedMirror(store.folder, id);
      return { mirrors: listParkedMirrors(store.folder) };
    },
    'data.dismissWarning': ({ id }) => {
      warnings.dismiss(id);
      onChange();
      return {};
    },
    'data.backUp': () => {
      store.backUp();
      return { backups: listBackups(store.folder) };
    },
  }) satisfies Partial<EngineBodies>;
