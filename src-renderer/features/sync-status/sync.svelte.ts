import type { Failure } from '../../../src-main/contract/errors.ts';
import { isModelList } from '../../../src-main/contract/model/resource.ts';
import type { ResourceStatus, SyncResult, SyncStatus } from '../../../src-main/contract/model/sync-status.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';

/** How the copy of the service stands. */
export class SyncState {
  readonly #wire: Wire;
  readonly #onNewContent: (why: 'firstCopy' | 'otherService') => void;
  #status = $state.raw<SyncStatus | null>(null);
  #asked = $state(false);
  /** Set by whoever has words for it. The time is RFC 3339. */
  onNotYet: (permittedAt: string) => void = () => undefined;

  /** `onNewContent` is told when what is stored is another whole: the first copy done, or another service's. */
  constructor(wire: Wire, onNewContent: (why: 'firstCopy' | 'otherService') => void) {
    this.#wire = wire;
    this.#onNewContent = onNewContent;
    wire.on('data.replaced', () => void this.load());
    wire.on('sync.changed', (status) => this.#take(status));
  }

  get status(): SyncStatus | null {
    return this.#status;
  }
  get running(): boolean {
    return this.#asked || (this.#status?.resources.some((resource) => resource.running) ?? false);
  }
  /** The selected set's own line, which carries the progress of the first copy. */
  get selected() {
    return this.#status?.resources.find((resource) => resource.name === 'selected') ?? null;
  }
  /** Whether the first copy of the selected set is still to be finished; false while nothing is known. */
  get firstCopy(): boolean {
    return this.#status !== null && !this.#status.selectedComplete;
  }
  get offline(): boolean {
    return this.#status?.reachable === false;
  }
  /** What failed of the news. */
  get failure() {
    return this.#status?.resources.find(({ name, error }) => error && !isModelList(name))?.error ?? null;
  }
  /** The model lists of the gateway that could not be read: the news go on without them. */
  get failedModelLists(): ResourceStatus[] {
    return this.#status?.resources.filter(({ name, error }) => error && isModelList(name)) ?? [];
  }

  /** The app's wish that nothing is polled, while it holds. */
  get pause() {
    return this.#status?.pause ?? null;
  }

  async load(): Promise<void> {
    const reply = await this.#wire.call('sync.status', {});
    if (reply.ok) this.#take(reply.value);
  }

  /** Polls nothing until then, ms since 1970; with null, until `resume`. */
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

  /**
   * The app's refresh: everything whose cached answer has outlived its lifetime. Where that is nothing, `onNotYet` is told
   * from when on there is something to ask.
   */
  async refresh(): Promise<void> {
    if (this.running) return;
    this.#asked = true;
    const reply = await this.#wire.call('sync.run', { urgency: 'permitted' });
    this.#asked = false;
    const notBefore = reply.ok ? nothingAskedBefore(reply.value) : null;
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

/** When the first of the resources may be asked again, RFC 3339, where a round has asked for none; else null. */
function nothingAskedBefore({ resources }: SyncResult): string | null {
  const reports = Object.values(resources);
  if (reports.some(({ requests, status }) => requests > 0 || status === 'failed')) return null;
  const times = reports.map(({ permittedAt }) => permittedAt ?? null).filter((at) => at !== null);
  return times.sort()[0] ?? null;
}
