import type { NewsClient } from '../../../clients/news/client.ts';
import type { Api } from '../../../contract/api.ts';
import { canonicalAddress } from '../../../common/canonical-address.ts';
import { BroadsheetError } from '../../../contract/errors.ts';
import type { EditionKind, StoredEdition } from '../../../contract/model/report.ts';
import type { EventName, Events } from '../../../contract/events.ts';
import type { Clock, Log } from '../../../contract/ports.ts';
import { EditionShelf } from '../../../store/reports/report-queries.ts';
import type { Undo } from '../../../store/items/statuses-table.ts';
import type { StoreWriter } from '../../../store/writer.ts';
import { refreshEdition } from '../../jobs/fetch-report.ts';

interface DeskPorts {
  store: StoreWriter;
  news: NewsClient;
  clock: Clock;
  log: Log;
  emit<E extends EventName>(event: E, payload: Events[E]): void;
  /** Sends what a reader waits for, if the service has not asked for patience. */
  askBeside<T>(kind: EditionKind, send: () => Promise<T>): Promise<T>;
  /** Tells of marks of items. */
  marked(action: Undo): void;
}

export const EDITIONS_METHODS = ['editions.open', 'editions.mark', 'editions.markCitation'] as const;
type EditionsMethod = (typeof EDITIONS_METHODS)[number];
type Bodies = { [M in EditionsMethod]: (args: Api[M]['args']) => Promise<Api[M]['result']> | Api[M]['result'] };

/** What a reader does with daily, weekly and monthly reports. */
export function editionsDesk(ports: DeskPorts): Bodies {
  const { store, emit, marked } = ports;
  const shelf = new EditionShelf(store.database);
  const asking = new Map<string, Promise<void>>();

  /** Two who open the same edition at once ask once. */
  function freshen(kind: EditionKind, label: string): Promise<void> {
    const name = `${kind} ${label}`;
    const going = asking.get(name) ?? refresh(ports, kind, label).finally(() => asking.delete(name));
    asking.set(name, going);
    return going;
  }

  return {
    'editions.open': async ({ kind, label }): Promise<StoredEdition> => {
      await freshen(kind, label);
      return shelf.get(kind, label);
    },
    'editions.mark': ({ kind, label, read }) => {
      if (store.markEdition(kind, label, read)) emit('editions.changed', { kind, labels: [label] });
      return {};
    },
    'editions.markCitation': ({ key, read }) => {
      if (canonicalAddress(key) !== key) throw new BroadsheetError('invalid_argument', 'key: is not one of a citation');
      marked(store.markCitation(key, read));
      return {};
    },
  };
}

/** Asks for an edition that the service has named, where its lifetime has run out. What is stored stands if that fails. */
async function refresh(ports: DeskPorts, kind: EditionKind, label: string): Promise<void> {
  const { store, news, clock, log, emit, askBeside } = ports;
  const { editions } = store;
  const facts = editions.facts(kind, label);
  if (!facts) return;
  const age = facts.askedAt === null ? Infinity : Math.abs(clock.now() - facts.askedAt);
  if (facts.stored && age < facts.lifetime) return;
  try {
    const { outcome } = await refreshEdition(kind, facts, {
      editions,
      ask: (validator) => askBeside(kind, () => news.edition(kind, label, { validator })),
      write: (work) => store.write(work),
      now: () => clock.now(),
    });
    if (outcome !== 'unchanged') emit('editions.changed', { kind, labels: [label] });
  } catch (error) {
    if (!facts.stored || !(error instanceof BroadsheetError)) throw error;
    log('info', 'An edition is shown as it was stored.', { kind, label, code: error.code });
  }
}
