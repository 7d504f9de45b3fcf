import type { Failure } from '../../../src-main/contract/errors.ts';
import { isModelList, type AcceptableResource } from '../../../src-main/contract/model/resource.ts';
import type { ResourceStatus, SyncResult, SyncStatus } from '../../../src-main/contract/model/sync-status.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { HealthState } from './health.svelte.ts';

/** The sync status: what is saved, what is running, and what failed. */
export class SyncState {
  readonly #wire: Wire;
  readonly #onNewContent: (why: 'firstCopy' | 'otherService') => void;
  #status = $state.raw<SyncStatus | null>(null);
  #refreshing = $state(false);
  #hostLost = $state(false);
  #engineStopped = $state(false);
  /** Called if a refresh came too early, with the time (RFC 3339) of the next one. */
  onNotYet: (permittedAt: string) => void = () => undefined;

  /** `onNewContent` is called when all content changed: the first download is complete, or the news source is another one. */
  constructor(wire: Wire, onNewContent: (why: 'firstCopy' | 'otherService') => void) {
    this.#wire = wire;
    this.#onNewContent = onNewContent;
    wire.on('data.replaced', () => void this.load());
    wire.on('sync.changed', (status) => this.#take(status));
    wire.on('engine.changed', ({ running }) => (this.#engineStopped = !running));
    wire.onHost?.((answers) => (this.#hostLost = !answers));
  }

  get status(): SyncStatus | null {
    return this.#status;
  }
  get running(): boolean {
    if (this.#hostLost || this.#engineStopped) return false;
    return this.#refreshing || (this.#status?.resources.some((resource) => resource.running) ?? false);
  }
  /** True if a refresh that the reader asked for is running. */
  get refreshing(): boolean {
    return this.running && this.#refreshing;
  }
  /** The status of the selected items, with the progress of the first download. */
  get selected() {
    return this.#status?.resources.find((resource) => resource.name === 'selected') ?? null;
  }
  /** True if the first download of the selected items is incomplete; false until the status is known. */
  get firstCopy(): boolean {
    return this.#status !== null && !this.#status.selectedComplete;
  }
  /** True if Broadsheet itself doesn't answer, so the status is an old one. It may recover, or have been ended. */
  get hostLost(): boolean {
    return this.#hostLost;
  }
  /** True if the thread that fetches and saves has stopped. It is restarted automatically. */
  get engineStopped(): boolean {
    return this.#engineStopped;
  }
  get offline(): boolean {
    return this.#status?.reachable === false;
  }
  /** The failure of the news source, without the gateway's. */
  get failure() {
    return this.#status?.resources.find(({ name, error }) => error && !isModelList(name))?.error ?? null;
  }
  /** The model lists that could not be read from the gateway. News is synced all the same. */
  get failedModelLists(): ResourceStatus[] {
    return this.#status?.resources.filter(({ name, error }) => error && isModelList(name)) ?? [];
  }
  /** Resources for which the service returned much less than is saved, until that is confirmed. */
  get confirming(): ResourceStatus[] {
    const unused = this.#status?.gateway === null;
    return (this.#status?.resources ?? []).filter(
      ({ name, confirming }) => confirming && !(unused && isModelList(name)),
    );
  }

  get pause() {
    return this.#status?.pause ?? null;
  }

  createHealth(): HealthState {
    return new HealthState(this.#wire);
  }

  async load(): Promise<void> {
    const reply = await this.#wire.call('sync.status', {});
    if (reply.ok) this.#take(reply.value);
    // The page may have been opened or missed an event meanwhile: only the engine answers this call.
    this.#engineStopped = !reply.ok && reply.error.code === 'closed' && reply.error.retryable;
  }

  /** Pauses syncing until a time in ms since 1970, or with null until `resume`. */
  async pauseUntil(untilMs: number | null): Promise<Failure | null> {
    const reply = await this.#wire.call('sync.pause', { untilMs });
    if (!reply.ok) return reply.error;
    this.#status = reply.value;
    return null;
  }

  async resume(): Promise<Failure | null> {
    const reply = await this.#wire.call('sync.resume', {});
    if (!reply.ok) return reply.error;
    this.#status = reply.value;
    return null;
  }

  /** Accepts a smaller answer that waits for the reader's decision. */
  async accept(resource: AcceptableResource): Promise<Failure | null> {
    const reply = await this.#wire.call('sync.accept', { resource });
    if (!reply.ok) return reply.error;
    this.#status = reply.value;
    return null;
  }

  /**
   * Refreshes by hand: syncs everything whose cached response has expired. If nothing has, calls `onNotYet` with the
   * time of the next possible refresh.
   */
  async refresh(): Promise<void> {
    if (this.running) return;
    this.#refreshing = true;
    const reply = await this.#wire.call('sync.run', { urgency: 'permitted' });
    this.#refreshing = false;
    const notBefore = reply.ok ? nextPermitted(reply.value) : null;
    if (notBefore !== null) this.onNotYet(notBefore);
    await this.load();
  }

  #take(status: SyncStatus): void {
    const before = this.#status;
    this.#status = status;
    if (!before) return;
    if (before.source.address !== status.source.address) this.#onNewContent('otherService');
    else if (!before.selectedComplete && status.selectedComplete) this.#onNewContent('firstCopy');
  }
}

/** Returns when the first resource may be synced again (RFC 3339), if this run synced none; else null. */
function nextPermitted({ resources }: SyncResult): string | null {
  const reports = Object.values(resources);
  if (reports.some(({ requests, status }) => requests > 0 || status === 'failed')) return null;
  const times = reports.map(({ permittedAt }) => permittedAt ?? null).filter((at) => at !== null);
  return times.sort()[0] ?? null;
}
