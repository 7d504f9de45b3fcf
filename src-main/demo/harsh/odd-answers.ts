import type { ModelListName } from '../../contract/model/resource.ts';

/** Applies to the next `left` requests. */
interface Due<T> {
  value: T;
  left: number;
}

export interface Refusal {
  status: 429 | 503;
  /** Seconds. */
  retryAfter: number;
}

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** While its ledger is being rebuilt, the harsh service has nothing at first, then a third of everything. */
const NOTHING_FOR = 10 * MINUTE;
const LITTLE_FOR = 20 * MINUTE;
const LITTLE = 1 / 3;
/** Each day at 20:00 UTC the harsh service refuses requests for four minutes. */
const BUSY_FROM = 20 * 60 * MINUTE;
const BUSY_UNTIL = BUSY_FROM + 4 * MINUTE;

/** Makes answers that are well-formed and wrong: on demand, and in the harsh service at fixed times. */
export class OddAnswers {
  redirect: string | null = null;
  /** Start of the rebuild of the ledger (ms since 1970). */
  rebuiltAt = -Infinity;
  readonly #harsh: boolean;
  #snapshots: Due<number> | null = null;
  #miscounts: Due<true> | null = null;
  #refusals: Due<Refusal> | null = null;
  readonly #models = new Map<ModelListName, Due<number>>();

  constructor(harsh: boolean) {
    this.#harsh = harsh;
  }

  shrinkSnapshots(share: number, times: number): void {
    this.#snapshots = { value: share, left: times };
  }

  shrinkModels(list: ModelListName, share: number, times: number): void {
    this.#models.set(list, { value: share, left: times });
  }

  miscount(times: number): void {
    this.#miscounts = { value: true, left: times };
  }

  refuse(refusal: Refusal, times: number): void {
    this.#refusals = { value: refusal, left: times };
  }

  /** Returns the share of the set in a snapshot that begins now. */
  snapshotShare(now: number): number {
    return use(this.#snapshots) ?? this.#shareWhileRebuilt(now);
  }

  modelsShare(list: ModelListName, now: number): number {
    return use(this.#models.get(list)) ?? this.#shareWhileRebuilt(now);
  }

  /** Returns true if the next snapshot page announces more items than it has. */
  isMiscounted(): boolean {
    return use(this.#miscounts) ?? false;
  }

  refusal(now: number): Refusal | null {
    const given = use(this.#refusals);
    if (given) return given;
    const time = now % DAY;
    if (!this.#harsh || time < BUSY_FROM || time >= BUSY_UNTIL) return null;
    return { status: 429, retryAfter: Math.ceil((BUSY_UNTIL - time) / 1000) };
  }

  #shareWhileRebuilt(now: number): number {
    const since = now - this.rebuiltAt;
    if (since >= LITTLE_FOR) return 1;
    return since < NOTHING_FOR ? 0 : LITTLE;
  }
}

function use<T>(due: Due<T> | null | undefined): T | undefined {
  if (!due || due.left <= 0) return undefined;
  due.left -= 1;
  return due.value;
}
