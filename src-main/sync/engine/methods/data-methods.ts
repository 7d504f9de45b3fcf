import type { Api } from '../../../contract/api.ts';
import { REPORT_KINDS } from '../../../contract/model/report.ts';
import { toFailure } from '../../../contract/errors.ts';
import { MODEL_LISTS } from '../../../contract/model/item.ts';
import type { Clock, Log } from '../../../contract/ports.ts';
import { listBackups, readUserRows, type Store } from '../../../store/index.ts';
import type { Emit } from '../engine.ts';
import { parseUserData } from './user-data-file.ts';

export const DATA_METHODS = ['data.import', 'data.backUp'] as const satisfies readonly (keyof Api)[];
type DataMethod = (typeof DATA_METHODS)[number];
type Bodies = { [M in DataMethod]: (args: Api[M]['args']) => Api[M]['result'] };

/** After a copy that was none, for nothing had changed or it failed: a round comes every few minutes. In ms. */
const REST = 3_600_000;

interface MethodPorts {
  clock: Clock;
  store: Store;
  emit: Emit;
  log: Log;
}

/** What is done with user.db as a whole. */
export class DataMethods {
  readonly bodies: Bodies;
  readonly #ports: MethodPorts;
  /** Since when no copy is tried, ms since 1970. */
  #restsSince: number | null = null;

  constructor(ports: MethodPorts) {
    const { store } = ports;
    this.#ports = ports;
    this.bodies = {
      // The tables alone: settings are not the engine's.
      'data.import': ({ text }) => this.#import(text),
      'data.backUp': () => {
        store.backUp();
        return { backups: listBackups(store.folder) };
      },
    };
  }

  /** Once a day where anything changed. One that fails is made up for by the next: nothing else depends on it. */
  backUpDaily(): void {
    const { store, log, clock } = this.#ports;
    const now = clock.now();
    if (this.#restsSince !== null && Math.abs(now - this.#restsSince) < REST) return;
    this.#restsSince = null;
    try {
      const outcome = store.backUpDaily();
      if (outcome === 'made') log('info', 'user.db was backed up');
      if (outcome === 'unchanged') this.#restsSince = now;
    } catch (error) {
      this.#restsSince = now;
      log('warn', 'user.db could not be backed up', { code: toFailure(error).code });
    }
  }

  #import(text: string): Api['data.import']['result'] {
    const { rows, skipped } = readUserRows(parseUserData(text).tables);
    const report = this.#ports.store.transaction(({ userData }) => userData.take(rows));
    if (report.taken > 0) this.#tellAll();
    return { ...report, skipped: report.skipped + skipped, settings: false };
  }

  /** Anything that the reader did may be another thing now. */
  #tellAll(): void {
    const { store, emit } = this.#ports;
    emit('marks.changed', { ids: null });
    emit('counts.changed', store.queries.items.counts());
    emit('stories.changed', { publicIds: [] });
    for (const kind of REPORT_KINDS) emit('reports.changed', { kind, labels: [] });
    emit('models.changed', { modelLists: [...MODEL_LISTS] });
    emit('workloads.changed', { workloads: store.queries.models.workloads() });
  }
}
