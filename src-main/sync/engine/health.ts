import { RESOURCES } from '../../contract/model/resource.ts';
import type { SyncStatus } from '../../contract/model/sync-status.ts';
import type { SyncHealth } from '../../contract/model/visit.ts';
import type { Integrity, Queries, RunRecord } from '../../store/index.ts';
import { asTime } from '../../common/timestamp.ts';
import { catalogueName } from './gateway-source.ts';

/** Number of runs per resource. */
const SHOWN_RUNS = 10;

interface HealthSources {
  queries: Pick<Queries, 'health' | 'schedule'>;
  status: SyncStatus;
  /** Result of a check that could not be saved. */
  integrity?: Integrity;
}

/** The state of all stored data: numbers, times and reasons, but no titles, searches or secrets. */
export function dataHealth({ queries, status, integrity }: HealthSources): SyncHealth {
  const { resources, source, gateway, selectedComplete, reachable, pause } = status;
  const runs = RESOURCES.flatMap((name) => queries.schedule.runs(name, SHOWN_RUNS)).sort(
    (a, b) => b.endedAt - a.endedAt,
  );
  return {
    resources,
    files: queries.health.sizes(),
    integrity: integrity ?? queries.health.integrity(),
    runs: runs.map(runInShort),
    // The core adds its problems: not all of them concern stored data.
    problems: [],
    paused: pause !== null,
    pausedUntil: pause?.until ?? null,
    facts: {
      source: source.demo ? 'demo' : source.address,
      sourceFrom: source.from,
      gateway: gateway && catalogueName(gateway),
      reachable,
      selectedComplete,
      storageWarnings: status.storageWarnings.map(({ file, reason }) => `${file}: ${reason}`),
    },
  };
}

function runInShort(run: RunRecord): SyncHealth['runs'][number] {
  const { resource, endedAt, status, requests, added, revised, withdrawn, skipped, skippedReasons } = run;
  const at = asTime(endedAt) ?? '';
  return { resource, at, status, requests, changes: added + revised + withdrawn, skipped, reasons: skippedReasons };
}
