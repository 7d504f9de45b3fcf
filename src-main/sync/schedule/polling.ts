import {
  isModelList,
  MODEL_LISTS,
  RESOURCES,
  type NewsResource,
  type ResourceName,
} from '../../contract/model/resource.ts';
import type { ResourceResult } from '../../contract/model/sync-status.ts';
import type { Clock } from '../../contract/ports.ts';
import type { Pause, Store } from '../../store/index.ts';
import { addJitter, pauseAt } from './due-rules.ts';
import { NOT_DUE, type ResourceRunner } from '../jobs/resource-runner.ts';
import { byResource, resourceOf } from '../jobs/registry.ts';
import { backoffAfter, isNetworkFailure } from '../jobs/record-failures.ts';
import type { Urgency } from '../jobs/sync-context.ts';

type RoundResults = Record<ResourceName, ResourceResult>;

/** In ms, since the page's last message, which an open page repeats sooner. */
const ATTENTION = 20 * 60_000;

interface PollingPorts {
  clock: Clock;
  store: Store;
  runners: Record<ResourceName, ResourceRunner>;
  /** True if only the user refreshes. */
  byHand(): boolean;
  onReachable(): void;
}

/** While the news service is unreachable, or polling is paused, due resources wait; a manual refresh doesn't. */
export class Polling {
  readonly #ports: PollingPorts;
  readonly #reachability = new Reachability();
  #pause: Pause | null;
  #attended: { to: ResourceName; at: number } | null = null;

  constructor(ports: PollingPorts) {
    this.#ports = ports;
    this.#pause = ports.store.queries.schedule.pause();
  }

  get reachable(): boolean | null {
    return this.#reachability.reachable;
  }

  get pause(): Pause | null {
    const pause = pauseAt(this.#pause, this.#ports.clock.now());
    if (pause !== this.#pause) this.#savePause(pause);
    return pause;
  }

  /** In ms since 1970. While the service is unreachable, only the group that `probes` is due. */
  newsDueAt(group: readonly NewsResource[], probes: boolean): number {
    const { pause } = this;
    if (this.#ports.byHand()) return Infinity;
    if (pause) return pause.until ?? Infinity;
    const { clock, runners } = this.#ports;
    this.#endAttention();
    if (this.reachable !== false) return Math.min(...group.map((name) => runners[name].dueAt));
    if (!probes) return Infinity;
    const permittedAt = Math.min(...group.map((name) => runners[name].permittedAt));
    return Math.max(this.#reachability.probeAt(clock.now()), permittedAt);
  }

  get modelListsDueAt(): number | null {
    const { pause } = this;
    const dueAt = Math.min(...MODEL_LISTS.map((name) => this.#ports.runners[name].dueAt));
    if (dueAt === Infinity) return null;
    if (this.#ports.byHand()) return Infinity;
    if (pause) return pause.until ?? Infinity;
    this.#endAttention();
    return dueAt;
  }

  pauseUntil(until: number | null): void {
    this.#savePause(pauseAt({ since: this.#ports.clock.now(), until }, this.#ports.clock.now()));
  }

  endPause(): void {
    this.#savePause(null);
  }

  attend(to: ResourceName | null): void {
    this.#attended = to && { to, at: this.#ports.clock.now() };
    for (const name of RESOURCES) {
      this.#ports.runners[name].attended = to !== null && (name === to || name === resourceOf(to).seenWith);
    }
  }

  async round(urgency: Urgency, resources: readonly ResourceName[]): Promise<RoundResults> {
    if (urgency === 'due' && this.pause) return byResource(() => NOT_DUE);
    const news = resources.filter((name) => !isModelList(name));
    const [ofNews, ofModelLists] = await Promise.all([
      urgency === 'due' && this.reachable === false ? this.#probe(news) : this.#fetchNews(urgency, news),
      this.#fetch(urgency, resources.filter(isModelList)),
    ]);
    return byResource((name) => (isModelList(name) ? ofModelLists : ofNews)[name]);
  }

  /** Tests the connection with one resource. After a response, everything that had to wait follows. */
  async #probe(resources: readonly ResourceName[]): Promise<RoundResults> {
    const { clock, runners } = this.#ports;
    if (clock.now() < this.#reachability.probeAt(clock.now())) return byResource(() => NOT_DUE);
    const [first] = resources.toSorted((a, b) => runners[a].permittedAt - runners[b].permittedAt);
    if (first === undefined) return byResource(() => NOT_DUE);
    const probed = await this.#fetchNews('permitted', [first]);
    if (!this.reachable) return probed;
    const others = await this.#fetchNews(
      'due',
      resources.filter((name) => name !== first),
    );
    return { ...others, [first]: probed[first] };
  }

  async #fetchNews(urgency: Urgency, resources: readonly ResourceName[]): Promise<RoundResults> {
    const { clock, runners, onReachable } = this.#ports;
    const startedAt = clock.now();
    const results = await this.#fetch(urgency, resources);
    const runs = resources.map((name) => ({ ...results[name], unanswered: runners[name].unanswered }));
    if (this.#reachability.record(runs, { startedAt, now: clock.now() }, Math.random())) {
      // If the network is back for one service, it may be for the other.
      for (const name of RESOURCES) runners[name].resume();
      onReachable();
    }
    return results;
  }

  async #fetch(urgency: Urgency, resources: readonly ResourceName[]): Promise<RoundResults> {
    const { runners, store } = this.#ports;
    const results = byResource<ResourceResult>(() => NOT_DUE);
    const runs = new Map<ResourceName, Promise<void>>();
    const prerequisite = (name: ResourceName): ResourceName | undefined => {
      const { after, waits } = resourceOf(name);
      return (waits?.(store.queries) ?? true) ? after : undefined;
    };
    const run = async (name: ResourceName, after?: ResourceName): Promise<void> => {
      // Another round may be fetching it.
      if (after) await (runs.get(after) ?? runners[after].whenSettled());
      results[name] = await runners[name].run(urgency);
    };
    const later = resources
      .map((name) => ({ name, after: prerequisite(name) }))
      .filter(({ after }) => after !== undefined);
    for (const name of resources) if (!later.some((one) => one.name === name)) runs.set(name, run(name));
    for (const { name, after } of later) runs.set(name, run(name, after));
    await Promise.all(runs.values());
    return results;
  }

  #endAttention(): void {
    const seen = this.#attended;
    if (seen && Math.abs(this.#ports.clock.now() - seen.at) >= ATTENTION) this.attend(null);
  }

  #savePause(pause: Pause | null): void {
    this.#pause = pause;
    this.#ports.store.transaction((tx) => {
      tx.schedule.setPause(pause);
    });
  }
}

const FIRST_PROBE = 30_000;
/** Short enough for today's report to arrive soon after the user is back online. */
const MAX_PROBE = 4 * 60_000;

export function probeAfter(misses: number, chance: number): number {
  return addJitter(backoffAfter(misses, FIRST_PROBE, MAX_PROBE), chance);
}

type Attempt = ResourceResult & { unanswered: number };

export class Reachability {
  #reachable: boolean | null = null;
  #misses = 0;
  #answeredAt = -Infinity;
  #missedAt = 0;
  #probeAt = 0;

  get reachable(): boolean | null {
    return this.#reachable;
  }

  probeAt(now: number): number {
    return now < this.#missedAt ? now : this.#probeAt;
  }

  /** Counts any response, also an error of the service. Returns true if the service is reachable again. */
  record(runs: readonly Attempt[], { startedAt, now }: { startedAt: number; now: number }, chance: number): boolean {
    const attempts = runs.filter(({ status, requests }) => requests > 0 || status === 'failed');
    if (attempts.length === 0) return false;
    const wasLost = this.#reachable === false;
    const isAnswered = attempts.some(isAnsweredIn);
    // A single record that can't be sent is no lost network, but no answer either.
    if (!isAnswered && !wasLost && attempts.every(({ status }) => status !== 'failed')) return false;
    // Another sync got a response meanwhile.
    if (!isAnswered && this.#reachable && this.#answeredAt >= startedAt) return false;
    if (isAnswered) this.#answeredAt = now;
    this.#reachable = isAnswered;
    this.#misses = this.#reachable ? 0 : this.#misses + 1;
    this.#missedAt = now;
    this.#probeAt = now + probeAfter(this.#misses, chance);
    return wasLost && this.#reachable;
  }
}

function isAnsweredIn({ error, requests, unanswered }: Attempt): boolean {
  return requests > unanswered || (error !== undefined && !isNetworkFailure(error.code));
}
