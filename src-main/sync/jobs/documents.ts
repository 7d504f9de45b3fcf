import type { Answer } from '../../clients/http/client.ts';
import { ServiceError } from '../../clients/http/service-error.ts';
import { countSkipped, type Skipped } from '../../clients/parsing/records.ts';
import type { Emit } from '../../contract/events.ts';
import type { Changes, FetchTerms, Queries, Store, Transaction } from '../../store/index.ts';
import { doubtAbout, readDoubt, saveDoubt, type Doubt } from './confirmation.ts';
import { hasCode, isOfOneRecord, recordBackoff } from './record-failures.ts';
import type { JobResult, SyncContext } from './sync-context.ts';

/** All that differs between the kinds of documents. The only document of a kind has the id ''. */
export interface DocumentKind<V extends Parsed> {
  name: string;
  get(ports: FetchPorts, id: string, validator: string | undefined): Promise<Answer<V>>;
  /** Returns the ETag of the saved body; null if that is missing, unreadable or gone. */
  etag(queries: Queries, id: string): string | null;
  size(value: V): number;
  /** Parts that must not vanish before a later answer confirms that (docs/decisions/032). */
  parts?: { noun: string; saved(queries: Queries, value: V): number; isLoss(saved: number, received: number): boolean };
  /** Returns null if what is saved stays until the reader decides. */
  save(tx: Transaction, id: string, value: V, terms: FetchTerms): Saved | null;
  /** Default: "not modified" writes nothing. */
  confirm?(tx: Transaction, id: string, terms: FetchTerms): void;
  /** Default: `not_found` is an error. */
  setGone?(tx: Transaction, id: string, now: number): Saved;
  announce(emit: Emit, ids: string[]): void;
}

/** A kind with many documents, each of which waits for itself after a failure. */
export interface RecordKind<V extends Parsed> extends DocumentKind<V> {
  failures(queries: Queries, id: string): number;
  recordFailure(tx: Transaction, id: string, backoff: number, now: number): void;
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

export function isEmptied(saved: number, received: number): boolean {
  return received === 0 && saved > 0;
}

const pending = new WeakMap<Store, Map<string, Promise<Fetched>>>();

/** A sync and all readers who wait share one request. Errors: the client's. */
export function fetchDocument<V extends Parsed>(ports: FetchPorts, kind: DocumentKind<V>, id = ''): Promise<Fetched> {
  const calls = pending.get(ports.store) ?? new Map<string, Promise<Fetched>>();
  pending.set(ports.store, calls);
  const name = id === '' ? kind.name : `${kind.name} ${id}`;
  const call = calls.get(name) ?? request(ports, kind, id, name).finally(() => calls.delete(name));
  calls.set(name, call);
  return call;
}

async function request<V extends Parsed>(
  ports: FetchPorts,
  kind: DocumentKind<V>,
  id: string,
  name: string,
): Promise<Fetched> {
  const answer = await send(ports, kind, id);
  const terms = { etag: answer?.validator ?? null, lifetime: answer?.lifetimeMs ?? 0, now: ports.now() };
  const value = answer?.kind === 'fresh' ? answer.value : null;
  const { queries } = ports.store;
  // "Not modified" ends a doubt, too: the saved body is what the service has.
  const { doubt, refusal } = value
    ? judge(kind, value, readDoubt(name, queries.mirror), { queries, now: terms.now })
    : BELIEVED;
  const saved = ports.write((tx) => {
    saveDoubt(name, doubt, tx);
    if (refusal) return null;
    if (value) return kind.save(tx, id, value, terms);
    if (!answer) return kind.setGone?.(tx, id, terms.now) ?? null;
    kind.confirm?.(tx, id, terms);
    return null;
  });
  if (value && !refusal) ports.recordSkipped(value.skipped);
  if (saved && saved.changed.length > 0) kind.announce(ports.emit, [...saved.changed]);
  const size = value ? kind.size(value) : 0;
  return {
    ...(saved ?? NO_CHANGE),
    isSaved: value !== null && saved !== null,
    size,
    lifetime: terms.lifetime,
    refusal,
  };
}

/** Returns null for a document that is gone. */
async function send<V extends Parsed>(ports: FetchPorts, kind: DocumentKind<V>, id: string): Promise<Answer<V> | null> {
  const validator = kind.etag(ports.store.queries, id) ?? undefined;
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
  const { parts } = kind;
  if (!parts) return BELIEVED;
  const [saved, received] = [parts.saved(queries, value), kind.size(value)];
  const isLoss = parts.isLoss(saved, received);
  if (isLoss && saved - received <= countSkipped(value.skipped.filter(({ isRepeated }) => isRepeated !== true))) {
    return { doubt: earlier, refusal: refusalOf(`${saved - received} of ${saved} ${parts.noun} can't be read`) };
  }
  const doubt = doubtAbout(isLoss, { saved, received }, earlier, now);
  const why = `it has ${received} instead of ${saved} ${parts.noun}, which a later answer must confirm`;
  return { doubt, refusal: doubt && refusalOf(why) };
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
  kind: RecordKind<V>,
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
  kind: RecordKind<V>,
  id: string,
  error: ServiceError,
): void {
  context.recordMissed(id, error);
  const backoff = recordBackoff(error, kind.failures(context.store.queries, id) + 1);
  context.write((tx) => kind.recordFailure(tx, id, backoff, context.now()));
}
