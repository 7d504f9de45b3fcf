import type { NewsClient } from '../../clients/news/client.ts';
import { canonicalAddress } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { reportNoteId } from '../../contract/model/note.ts';
import type { ReportKind, StoredReport } from '../../contract/model/report.ts';
import type { StoredStory } from '../../contract/model/story.ts';
import type { Transaction } from '../../store/index.ts';
import { fetchDocument, type FetchPorts } from '../jobs/documents.ts';
import { REPORTS } from '../jobs/reports.ts';
import { hasExpired, STORY } from '../jobs/stories.ts';
import type { EngineBase, EngineBodies } from './types.ts';

interface ReportPorts extends EngineBase {
  news: NewsClient;
  announceStatuses(ids: string[]): void;
}

export function reportMethods(ports: ReportPorts) {
  const { store, emit, announceStatuses } = ports;

  return {
    'reports.open': async ({ kind, label }): Promise<StoredReport> => {
      await ports.userPriority.during(() => refreshReport(ports, kind, label));
      return store.queries.reports.get(kind, label);
    },
    'reports.mark': ({ kind, label, read }) => {
      const changed = store.transaction(({ records, now }) =>
        records.turn('report', reportNoteId(kind, label), read ? now : null),
      );
      if (changed) emit('reports.changed', { kind, labels: [label] });
      return {};
    },
    'reports.markCitations': ({ keys, read }) => {
      if (keys.some((key) => canonicalAddress(key) !== key))
        throw new BroadsheetError('invalid_argument', 'keys: has one that is not the key of a citation');
      const actions = store.transaction(({ statuses, now }) => keys.map((key) => statuses.markAddress(key, read, now)));
      announceStatuses(actions.flatMap(({ pairs }) => pairs.map(([id]) => id)));
      return {};
    },
  } satisfies Partial<EngineBodies>;
}

async function refreshReport(ports: ReportPorts, kind: ReportKind, label: string): Promise<void> {
  const { store, clock, log } = ports;
  const facts = store.queries.reports.facts(kind, label);
  if (!facts) return;
  const age = facts.requestedAt === null ? Infinity : Math.abs(clock.now() - facts.requestedAt);
  // After a failed request, another one is worth trying before the lifetime is over.
  if (facts.stored && facts.failures === 0 && age < facts.lifetime) return;
  try {
    await fetchDocument(readerPorts(ports), REPORTS[kind], label);
  } catch (error) {
    if (!facts.stored || !(error instanceof BroadsheetError)) throw error;
    log('info', 'Fetching a report failed; showing the saved copy', { kind, label, code: error.code });
  }
}

interface StoryPorts extends EngineBase {
  news: NewsClient;
  now(): number;
}

export function storyMethods(ports: StoryPorts) {
  const { store, emit, now } = ports;
  const { stories } = store.queries;

  function resolveGiven(publicId: string): string {
    if (!stories.isGiven(publicId) && !stories.isGiven(stories.resolve(publicId))) throw unknownStory();
    return stories.resolve(publicId);
  }

  function mark(publicId: string, change: (tx: Transaction, id: string) => boolean): Record<string, never> {
    const id = resolveGiven(publicId);
    if (store.transaction((tx) => change(tx, id))) emit('stories.changed', { publicIds: [id] });
    return {};
  }

  return {
    'stories.open': async ({ publicId }) => {
      const id = resolveGiven(publicId);
      const failure = await ports.userPriority.during(() => refreshStory(ports, id));
      const opened = stories.find(id);
      if (!opened) throw failure ?? unknownStory();
      markSeen(ports, opened);
      return opened;
    },
    'stories.follow': ({ publicId, follow }) =>
      mark(publicId, (tx, id) => tx.storyStatuses.follow(id, follow, stories.record(id)?.story ?? null, now())),
    'stories.star': ({ publicId, star }) => mark(publicId, (tx, id) => tx.storyStatuses.star(id, star, now())),
  } satisfies Partial<EngineBodies>;
}

function readerPorts({ store, news, emit, clock }: EngineBase & { news: NewsClient }): FetchPorts {
  return {
    ...{ store, news, emit },
    fetch: (send) => send(),
    isSync: false,
    now: () => clock.now(),
    write: (work) => store.transaction(work),
    recordSkipped: () => undefined,
  };
}

async function refreshStory(ports: StoryPorts, id: string): Promise<BroadsheetError | null> {
  if (!hasExpired(ports.store.queries, id, ports.now())) return null;
  try {
    await fetchDocument(readerPorts(ports), STORY, id);
    return null;
  } catch (error) {
    if (!(error instanceof BroadsheetError)) throw error;
    ports.log('info', 'Fetching a story failed; showing the saved copy', { code: error.code });
    return error;
  }
}

/** Call it after building the reply, which still marks the updates as new. */
function markSeen({ store, now, emit }: StoryPorts, { fresh, publicId }: StoredStory): void {
  if (fresh.reportIds.length === 0 && !fresh.digest) return;
  store.transaction(({ storyStatuses }) => {
    const story = store.queries.stories.record(publicId)?.story;
    if (story) storyStatuses.visit(story, now());
  });
  emit('stories.changed', { publicIds: [publicId] });
}

function unknownStory(): BroadsheetError {
  return new BroadsheetError('not_found', 'The news service has no such story, or never listed it.');
}
