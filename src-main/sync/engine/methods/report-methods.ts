import type { NewsClient } from '../../../clients/news/client.ts';
import { canonicalAddress } from '../../../common/canonical-address.ts';
import { BroadsheetError } from '../../../contract/errors.ts';
import type { ReportKind, StoredReport } from '../../../contract/model/report.ts';
import type { Emit } from '../../../contract/events.ts';
import type { Clock, Log } from '../../../contract/ports.ts';
import type { Store, Undo } from '../../../store/index.ts';
import { fetchReport } from '../../jobs/fetch-report.ts';
import type { EngineBodies } from '../types.ts';

interface MethodPorts {
  store: Store;
  news: NewsClient;
  clock: Clock;
  log: Log;
  emit: Emit;
  /** Sends a request that the user is waiting for, unless a Retry-After applies. */
  fetchOnDemand<T>(kind: ReportKind, send: () => Promise<T>): Promise<T>;
  /** Sends the events for changed item statuses. */
  marked(action: Undo): void;
}

/** Methods for daily, weekly and monthly reports. */
export function reportMethods(ports: MethodPorts) {
  const { store, emit, marked } = ports;
  const pending = new Map<string, Promise<void>>();

  /** Simultaneous calls for the same report share one request. */
  function freshen(kind: ReportKind, label: string): Promise<void> {
    const name = `${kind} ${label}`;
    const going = pending.get(name) ?? refresh(ports, kind, label).finally(() => pending.delete(name));
    pending.set(name, going);
    return going;
  }

  /** One transaction and one event, however many there are. */
  function markCitations(keys: readonly string[], read: boolean): Record<string, never> {
    if (keys.some((key) => canonicalAddress(key) !== key))
      throw new BroadsheetError('invalid_argument', 'key: is not the key of a citation');
    const actions = store.transaction(({ statuses, now }) => keys.map((key) => statuses.markAddress(key, read, now)));
    marked({ field: 'read_at', before: actions.flatMap(({ before }) => before) });
    return {};
  }

  return {
    'reports.open': async ({ kind, label }): Promise<StoredReport> => {
      await freshen(kind, label);
      return store.queries.reports.get(kind, label);
    },
    'reports.mark': ({ kind, label, read }) => {
      const changed = store.transaction(({ reportStatuses, now }) => reportStatuses.mark(kind, label, read, now));
      if (changed) emit('reports.changed', { kind, labels: [label] });
      return {};
    },
    'reports.markCitation': ({ key, read }) => markCitations([key], read),
    'reports.markCitations': ({ keys, read }) => markCitations(keys, read),
  } satisfies Partial<EngineBodies>;
}

/** Fetches a report that the service has listed, if its lifetime is over. If that fails, the saved report is used. */
async function refresh(ports: MethodPorts, kind: ReportKind, label: string): Promise<void> {
  const { store, news, clock, log, emit, fetchOnDemand } = ports;
  const facts = store.queries.reports.facts(kind, label);
  if (!facts) return;
  const age = facts.requestedAt === null ? Infinity : Math.abs(clock.now() - facts.requestedAt);
  // A failed request is no response: then a request is worth trying before the lifetime is over.
  if (facts.stored && facts.failures === 0 && age < facts.lifetime) return;
  try {
    const { outcome } = await fetchReport(kind, facts, {
      fetch: (validator) => fetchOnDemand(kind, () => news.report(kind, label, { validator })),
      write: (work) => {
        store.transaction(work);
      },
      queries: store.queries,
      now: () => clock.now(),
    });
    if (outcome !== 'unchanged') emit('reports.changed', { kind, labels: [label] });
  } catch (error) {
    if (!facts.stored || !(error instanceof BroadsheetError)) throw error;
    log('info', 'Fetching a report failed; showing the saved copy', { kind, label, code: error.code });
  }
}
