const MINUTE = 60_000;
const SECOND = 1000;

/** Kinds of requests with the approximate size of their answers on the wire in bytes, headers included, compressed. */
export const BYTES = {
  notModified: 350,
  refused: 500,
  items: 24_000,
  itemsOfReconciliation: 46_000,
  changes: 2_500,
  hotTopics: 5_000,
  story: 9_000,
  index: 2_500,
  report: 14_000,
} as const;
export type AnswerKind = keyof typeof BYTES;

/** Counts requests by the second and by the kind of their answer. */
export class Tally {
  readonly start: number;
  readonly perSecond: Uint32Array;
  readonly byAnswer = new Map<AnswerKind, number>();
  bytes = 0;
  requests = 0;
  /** From the appearance of a report until a reader who was awake has it, in ms. */
  readonly waits: Record<'daily' | 'weekly' | 'monthly', number[]> = { daily: [], weekly: [], monthly: [] };

  constructor(start: number, seconds: number) {
    this.start = start;
    this.perSecond = new Uint32Array(seconds);
  }

  add(at: number, kind: AnswerKind, count = 1): void {
    const second = Math.floor((at - this.start) / SECOND);
    if (second < 0 || second >= this.perSecond.length) return;
    this.perSecond[second]! += count;
    this.requests += count;
    this.bytes += BYTES[kind] * count;
    this.byAnswer.set(kind, (this.byAnswer.get(kind) ?? 0) + count);
  }

  /** Adds what another part of the readers did. */
  merge(other: Pick<Tally, 'perSecond' | 'byAnswer' | 'bytes' | 'requests' | 'waits'>): void {
    other.perSecond.forEach((count, second) => (this.perSecond[second]! += count));
    for (const [kind, count] of other.byAnswer) this.byAnswer.set(kind, (this.byAnswer.get(kind) ?? 0) + count);
    this.bytes += other.bytes;
    this.requests += other.requests;
    for (const kind of ['daily', 'weekly', 'monthly'] as const)
      this.waits[kind] = [...this.waits[kind], ...other.waits[kind]];
  }

  get notModifiedShare(): number {
    return (this.byAnswer.get('notModified') ?? 0) / this.requests;
  }

  /** The most requests in one second from `from` to `until`, in ms since 1970. */
  peak(from = this.start, until = Infinity): number {
    const first = Math.floor((from - this.start) / SECOND);
    const last = Math.min(this.perSecond.length, Math.ceil((until - this.start) / SECOND));
    return this.perSecond.subarray(first, last).reduce((most, count) => Math.max(most, count), 0);
  }

  /** Requests per second in each minute: the mean, and the busiest second. */
  minutes(): { at: number; mean: number; most: number }[] {
    const length = MINUTE / SECOND;
    const found: { at: number; mean: number; most: number }[] = [];
    for (let from = 0; from < this.perSecond.length; from += length) {
      const seconds = this.perSecond.subarray(from, from + length);
      const sum = seconds.reduce((a, b) => a + b, 0);
      found.push({
        at: this.start + from * SECOND,
        mean: sum / length,
        most: seconds.reduce((a, b) => Math.max(a, b), 0),
      });
    }
    return found;
  }
}
