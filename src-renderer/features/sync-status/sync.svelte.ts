import { untrack } from 'svelte';
import type { Args, Reply } from '../../../src-main/contract/methods.ts';
import { isModelList, type AcceptableResource } from '../../../src-main/contract/model/resource.ts';
import type { ResourceStatus, SyncResult, SyncStatus } from '../../../src-main/contract/model/sync-status.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import type { Live, LiveAnswers } from '../../api/live.ts';

/** The sync status: what is saved, what is running, and what failed. */
export class SyncState {
  readonly #live: LiveAnswers;
  readonly #answer: Live<'sync.status'>;
  readonly #onNewContent: (why: 'firstCopy' | 'otherService') => void;
  #before: SyncStatus | null = null;
  #refreshing = $state(false);
  #hostLost = $state(false);
  /** Called if a refresh came too early, with the time (RFC 3339) of the next one. */
  onNotYet: (permittedAt: string) => void = () => undefined;

  /** `onNewContent` is called when all content changed: the first download is complete, or the news source is another one. */
  constructor(wire: Wire, live: LiveAnswers, onNewContent: (why: 'firstCopy' | 'otherService') => void) {
    this.#live = live;
    this.#answer = live.get('sync.status', {});
    this.#onNewContent = onNewContent;
    wire.onHost?.((answers) => (this.#hostLost = !answers));
  }

  get status(): SyncStatus | null {
    return this.#answer.value;
  }
  get running(): boolean {
    if (this.hostLost || this.engineStopped) return false;
    return this.#refreshing || (this.status?.resources.some((resource) => resource.running) ?? false);
  }
  /** True if a refresh that the reader asked for is running. */
  get refreshing(): boolean {
    return this.running && this.#refreshing;
  }
  /** The status of the selected items, with the progress of the first download. */
  get selected(): ResourceStatus | null {
    return this.status?.resources.find((resource) => resource.name === 'selected') ?? null;
  }
  /** True if the first download of the selected items is incomplete; false until the status is known. */
  get firstCopy(): boolean {
    return this.status !== null && !this.status.selectedComplete;
  }
  /** True if Broadsheet itself doesn't answer, so the status is an old one. It may recover, or have been ended. */
  get hostLost(): boolean {
    return this.#hostLost;
  }
  /** True if the thread that fetches and saves has stopped: only it answers. It is restarted automatically. */
  get engineStopped(): boolean {
    const { failure } = this.#answer;
    return failure?.code === 'closed' && failure.retryable;
  }
  get offline(): boolean {
    return this.status?.reachable === false;
  }
  /** The failure of the news source, without the gateway's. */
  get failure(): ResourceStatus['error'] {
    return this.status?.resources.find(({ name, error }) => error && !isModelList(name))?.error ?? null;
  }
  /** The model lists that could not be read from the gateway. News is synced all the same. */
  get failedModelLists(): ResourceStatus[] {
    return this.status?.resources.filter(({ name, error }) => error && isModelList(name)) ?? [];
  }
  /** Resources for which the service returned much less than is saved, until that is confirmed. */
  get confirming(): ResourceStatus[] {
    const unused = this.status?.gateway === null;
    return (this.status?.resources ?? []).filter(
      ({ name, confirming }) => confirming && !(unused && isModelList(name)),
    );
  }
  get pause(): SyncStatus['pause'] {
    return this.status?.pause ?? null;
  }

  /** Reads the status and follows it as long as the page is open. */
  async load(): Promise<void> {
    await this.#answer.read();
    this.#before = this.status;
    $effect.root(() => {
      $effect(() => {
        const { status } = this;
        if (status) untrack(() => this.#compare(status));
      });
    });
  }

  /** Pauses syncing until a time in ms since 1970, or with null until `resume`. */
  pauseUntil(untilMs: number | null): Promise<Reply<SyncStatus>> {
    return this.#change('sync.pause', { untilMs });
  }

  resume(): Promise<Reply<SyncStatus>> {
    return this.#change('sync.resume', {});
  }

  /** Accepts a smaller answer that waits for the reader's decision. */
  accept(resource: AcceptableResource): Promise<Reply<SyncStatus>> {
    return this.#change('sync.accept', { resource });
  }

  /**
   * Refreshes by hand: syncs everything whose cached response has expired. If nothing has, calls `onNotYet` with the
   * time of the next possible refresh.
   */
  async refresh(): Promise<void> {
    if (this.running) return;
    this.#refreshing = true;
    const reply = await this.#live.call('sync.run', { urgency: 'permitted' });
    this.#refreshing = false;
    const notBefore = reply.ok ? nextPermitted(reply.value) : null;
    if (notBefore !== null) this.onNotYet(notBefore);
    await this.#answer.read();
  }

  async #change<M extends 'sync.pause' | 'sync.resume' | 'sync.accept'>(
    method: M,
    args: Args<M>,
  ): Promise<Reply<SyncStatus>> {
    const reply = await this.#live.call(method, args);
    if (reply.ok) await this.#answer.read();
    return reply;
  }

  #compare(status: SyncStatus): void {
    const before = this.#before;
    this.#before = status;
    if (!before) return;
    if (before.source.address !== status.source.address) this.#onNewContent('otherService');
    else if (!before.selectedComplete && status.selectedComplete) this.#onNewContent('firstCopy');
  }
}

type Failures = Pick<
  SyncState,
  'hostLost' | 'engineStopped' | 'offline' | 'failure' | 'failedModelLists' | 'confirming'
>;

/** True if anything keeps the saved content from being whole and up to date. */
export function hasFailed(sync: Failures): boolean {
  const { hostLost, engineStopped, offline, failure, failedModelLists, confirming } = sync;
  return hostLost || engineStopped || offline || failure !== null || [...failedModelLists, ...confirming].length > 0;
}

/** Returns when the first resource may be synced again (RFC 3339), if this run synced none; else null. */
function nextPermitted({ resources }: SyncResult): string | null {
  const reports = Object.values(resources);
  if (reports.some(({ requests, status }) => requests > 0 || status === 'failed')) return null;
  const times = reports.map(({ permittedAt }) => permittedAt ?? null).filter((at) => at !== null);
  return times.sort()[0] ?? null;
}

export const PAUSES = ['hour', 'tomorrow', 'resumed'] as const;
export type PauseSpan = (typeof PAUSES)[number];

const HOUR = 3_600_000;

/** Returns when a pause that starts at `now` ends (ms since 1970), or null for never. `tomorrow` is local midnight. */
export function endOfPause(span: PauseSpan, now: number): number | null {
  if (span === 'resumed') return null;
  if (span === 'hour') return now + HOUR;
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1).getTime();
}
