import type { Answer } from '../../clients/http/client.ts';
import { ServiceError } from '../../clients/http/service-error.ts';
import { countSkipped, type Skipped } from '../../clients/parsing/records.ts';
import { toFailure } from '../../contract/errors.ts';
import type { Emit } from '../../contract/events.ts';
import {
  answeredAt,
  type Changes,
  type Doubt,
  type Fetch,
  type Queries,
  type Store,
  type Transaction,
} from '../../store/index.ts';
import { doubtAbout, isForReader, type Loss } from './confirmation.ts';
import { hasCode, isOfOneRecord, recordBackoff } from './record-failures.ts';
import type { JobResult, SyncContext } from './sync-context.ts';

/** All that differs between the kinds of documents. The only document of a kind has the id '' and the name of its resource. */
export interface DocumentKind<V extends Parsed> {
  name: string;
  get(ports: FetchPorts, id: string, validator: string | undefined): Promise<Answer<V>>;
  /** Names the saved body, whose ETag may be sent; null if there is none that can be read, or it is gone. */
  address(queries: Queries, id: string): string | null;
  /** The id of what the service answered; default: the one that was asked for. */
  idOf?(value: V): string;
  size(value: V): number;
  /** The parts that would vanish, if that is implausibly many. */
  lossIn?(queries: Queries, value: V): Loss | null;
  save(tx: Transaction, id: string, value: V, now: number): Saved;
  /** Keeps a doubted answer for the reader, who alone may accept it; "not modified" is then about that one. */
  hold?(tx: Transaction, value: V): void;
  /** Default: `not_found` is an error. */
  setGone?(tx: Transaction, id: string, now: number): Saved;
  announce(emit: Emit, ids: string[]): void;
}

/** A sync, or a reader who waits. */
export type FetchPorts = Pick<
  SyncContext,
  'store' | 'news' | 'isSync' | 'emit' | 'now' | 'fetch' | 'write' | 'recordSkipped'
>;

export interface Parsed {
  skipped: readonly Skipped[];
}

export interface Saved extends Changes {
  /** Ids to announce. */
  changed: readonly string[];
}

interface Fetched extends Saved {
  isSaved: boolean;
  size: number;
  lifetime: number;
  refusal: ServiceError | null;
}

export const NO_CHANGE: Saved = { added: 0, revised: 0, withdrawn: 0, changed: [] };

export function savedAs(outcome: 'added' | 'revised' | 'unchanged', changed: readonly string[]): Saved {
  return { ...NO_CHANGE, added: Number(outcome === 'added'), revised: Number(outcome === 'revised'), changed };
}

export function fetchName({ name }: Pick<DocumentKind<Parsed>, 'name'>, id: string): string {
  return id === '' ? name : `${name}/${id}`;
}

const pending = new WeakMap<Store, Map<string, Promise<Fetched>>>();

/** A sync and all readers who wait share one request. Errors: the client's. */
export function fetchDocument<V extends Parsed>(ports: FetchPorts, kind: DocumentKind<V>, id = ''): Promise<Fetched> {
  const calls = pending.get(ports.store) ?? new Map<string, Promise<Fetched>>();
  pending.set(ports.store, calls);
  const name = fetchName(kind, id);
  const call = calls.get(name) ?? request(ports, kind, id).finally(() => calls.delete(name));
  calls.set(name, call);
  return call;
}

async function request<V extends Parsed>(ports: FetchPorts, kind: DocumentKind<V>, id: string): Promise<Fetched> {
  const answer = await send(ports, kind, id);
  const now = ports.now();
  const value = answer?.kind === 'fresh' ? answer.value : null;
  const own = (value && kind.idOf?.(value)) ?? id;
  const name = fetchName(kind, own);
  const { queries } = ports.store;
  const earlier = queries.fetches.get(name)?.doubt ?? null;
  const { doubt, refusal } = value ? judge(kind, value, earlier, { queries, now }) : BELIEVED;
  const body = (): Pick<Fetch, 'address' | 'etag'> => ({
    address: kind.address(queries, own) ?? '',
    etag: answer?.validator ?? null,
  });
  const lifetime = answer?.lifetimeMs ?? 0;
  // Those of the only document of a kind are its resource's.
  const times = id === '' ? {} : answeredAt(now, lifetime);
  const saved = ports.write((tx) => {
    const { fetches } = tx;
    if (value && refusal) {
      kind.hold?.(tx, value);
      fetches.put(name, { doubt, ...(kind.hold && body()) });
      return null;
    }
    if (answer?.kind === 'notModified') {
      // The saved body is what the service has, which ends a doubt; a held one is still in doubt.
      fetches.confirm(name, { ...body(), ...times, doubt: kind.hold ? earlier : null });
      return null;
    }
    const done = value ? kind.save(tx, id, value, now) : (kind.setGone?.(tx, id, now) ?? null);
    fetches.put(name, { ...body(), ...times, doubt: null });
    return done;
  });
  if (value && !refusal) ports.recordSkipped(value.skipped);
  if (saved && saved.changed.length > 0) kind.announce(ports.emit, [...saved.changed]);
  const size = value ? kind.size(value) : 0;
  return {
    ...(saved ?? NO_CHANGE),
    isSaved: saved !== null && value !== null,
    size,
    lifetime,
    refusal,
  };
}

async function send<V extends Parsed>(ports: FetchPorts, kind: DocumentKind<V>, id: string): Promise<Answer<V> | null> {
  const { queries } = ports.store;
  const address = kind.address(queries, id);
  const validator = address === null ? undefined : queries.fetches.etag(fetchName(kind, id), address);
  try {
    return await ports.fetch(() => kind.get(ports, id, validator));
  } catch (error) {
    if (kind.setGone && hasCode(error, 'not_found')) return null;
    throw error;
  }
}

interface Judgement {
  doubt: Doubt | null;
  refusal: ServiceError | null;
}

const BELIEVED: Judgement = { doubt: null, refusal: null };

/** Unreadable parts never count as withdrawn, however often they come. */
function judge<V extends Parsed>(
  kind: DocumentKind<V>,
  value: V,
  earlier: Doubt | null,
  { queries, now }: { queries: Queries; now: number },
): Judgement {
  const loss = kind.lossIn?.(queries, value) ?? null;
  if (!loss) return BELIEVED;
  const { saved, received, noun } = loss;
  const unreadable = countSkipped(value.skipped.filter(({ isRepeated }) => isRepeated !== true));
  if (!isForReader(loss) && saved - received <= unreadable)
    return { doubt: earlier, refusal: refusalOf(`${saved - received} of ${saved} ${noun} can't be read`) };
  const doubt = doubtAbout(loss, earlier, now);
  const who = isForReader(loss) ? 'the reader may accept' : 'a later answer must confirm';
  return { doubt, refusal: doubt && refusalOf(`it has ${received} instead of ${saved} ${noun}, which ${who}`) };
}

function refusalOf(why: string): ServiceError {
  return new ServiceError('invalid_body', `Nothing was replaced: ${why}. The saved copy stays.`, { status: 200 });
}

export async function syncDocument<V extends Parsed>(context: SyncContext, kind: DocumentKind<V>): Promise<JobResult> {
  const done = await fetchDocument(context, kind);
  context.count(done);
  if (done.isSaved) context.advance(done.size, done.size);
  return { modified: done.isSaved, lifetime: done.lifetime };
}

/** More failures in a row are hardly those of single records. */
const MAX_IN_A_ROW = 3;

interface Round {
  modified: boolean;
  failed: ServiceError[];
  /** False if it ended early, for a reader who waits or after too many requests. */
  isWhole: boolean;
}

/**
 * Fetches documents in the given order; `isStillDue` excludes what another one has brought meanwhile. Errors: those that
 * concern all documents, and the last of several failures in a row.
 */
export async function syncDocuments<V extends Parsed>(
  context: SyncContext,
  kind: DocumentKind<V>,
  ids: readonly string[],
  isStillDue: (id: string) => boolean = () => true,
): Promise<Round> {
  const round: Round = { modified: false, failed: [], isWhole: true };
  let inARow = 0;
  for (const [index, id] of ids.entries()) {
    if (context.mustYield() || context.isSpent) return { ...round, isWhole: false };
    if (!isStillDue(id)) continue;
    try {
      const done = await fetchDocument(context, kind, id);
      if (done.refusal) throw done.refusal;
      context.count(done);
      round.modified ||= done.changed.length > 0;
      inARow = 0;
    } catch (error) {
      if (!isOfOneRecord(error)) throw error;
      recordFailure(context, kind, id, error);
      round.failed.push(error);
      inARow += 1;
      if (inARow >= MAX_IN_A_ROW) throw error;
    }
    context.advance(index + 1, ids.length);
  }
  return round;
}

function recordFailure<V extends Parsed>(
  context: SyncContext,
  kind: DocumentKind<V>,
  id: string,
  error: ServiceError,
): void {
  context.recordMissed(id, error);
  const name = fetchName(kind, id);
  const failures = (context.store.queries.fetches.get(name)?.failures ?? 0) + 1;
  const [now, failure] = [context.now(), toFailure(error)];
  const dueAt = now + recordBackoff(error, failures);
  context.write(({ fetches }) => fetches.put(name, { requestedAt: now, dueAt, failures, failure }));
}
