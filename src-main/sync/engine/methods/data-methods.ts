import { listBackups, listParkedMirrors, readUserRows, removeParkedMirror, type Store } from '../../../store/index.ts';
import type { Emit } from '../../../contract/events.ts';
import type { EngineBodies } from '../types.ts';
import { parseUserData } from './user-data-file.ts';

interface MethodPorts {
  store: Store;
  emit: Emit;
}

/** Methods that concern user.db or the data folder as a whole. */
export const dataMethods = ({ store, emit }: MethodPorts) =>
  ({
    // Tables only: the engine doesn't manage settings.
    'data.import': ({ text }) => {
      const { rows, skipped } = readUserRows(parseUserData(text).tables);
      const report = store.transaction(({ userData }) => userData.take(rows));
      if (report.taken > 0) emit('data.replaced', {});
      return { ...report, skipped: report.skipped + skipped, settings: false };
    },
    'data.removeParkedMirror': ({ id }) => {
      removeParkedMirror(store.folder, id);
      return { mirrors: listParkedMirrors(store.folder) };
    },
    'data.backUp': () => {
      store.backUp();
      return { backups: listBackups(store.folder) };
    },
  }) satisfies Partial<EngineBodies>;
