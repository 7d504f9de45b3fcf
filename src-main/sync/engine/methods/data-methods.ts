import { listBackups, listParkedMirrors, readUserRows, removeParkedMirror, type Store } from '../../../store/index.ts';
import type { Emit } from '../../../contract/events.ts';
import type { StorageWarnings } from '../storage-warnings.ts';
import type { Clock } from '../../../contract/ports.ts';
import type { EngineBodies } from '../types.ts';
import { BroadsheetError } from '../../../contract/errors.ts';
import { inSteps } from '../in-steps.ts';
import { parseUserData } from './user-data-file.ts';

/** Rows that are imported in one transaction: some 20 ms. */
const IMPORTED_A_STEP = 1_000;
const NO_ROWS = readUserRows({}, 0).rows;

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
    // Tables only: the engine doesn't manage settings.
    'data.import': async ({ text }) => {
      const { rows, skipped } = readUserRows(parseUserData(text).tables, clock.now());
      const report = { taken: 0, unchanged: 0, skipped };
      try {
        for (const name of Object.keys(rows) as (keyof typeof rows)[]) {
          await inSteps<unknown>(rows[name], IMPORTED_A_STEP, (part) => {
            const taken = store.transaction(({ userData }) => userData.take({ ...NO_ROWS, [name]: part }));
            for (const was of ['taken', 'unchanged', 'skipped'] as const) report[was] += taken[was];
          });
        }
      } catch (error) {
        throw report.taken > 0 ? interrupted(error) : error;
      } finally {
        if (report.taken > 0) emit('data.replaced', {});
      }
      return { ...report, settings: false };
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

/** What was merged stays, and merging it again changes nothing. */
function interrupted(error: unknown): unknown {
  if (!(error instanceof BroadsheetError)) return error;
  const { code, message, retryable } = error;
  const text = `The import stopped halfway: ${message} What was imported stays. Import the file again for the rest.`;
  return new BroadsheetError(code, text, { retryable, cause: error });
}
