import { instant } from '../../../src-main/common/time.ts';
import type { ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { LiveAnswers } from '../../api/live.ts';
import { visitCounts } from './visit-counts.ts';

/** Between rows that are new and those that were there when the reader left the list. */
export interface Divider {
  /** In ms since 1970. */
  readonly since: number;
  /** The row key of the first row below it. */
  readonly key: number;
}

type Scope = ItemsQuery['scope'];

/** Lists that were shown for less than this (ms) were not looked at. */
const LOOK_MS = 2_000;

/**
 * The dividers of the two lists. Each stays in its place while its list is shown and moves when the reader leaves it. After
 * a start they are where the last visit ended, which is when any of the lists was left
 * (docs/decisions/014).
 */
export class Dividers {
  readonly #live: LiveAnswers;
  #left = $state.raw<Readonly<Partial<Record<Scope, Divider | null>>>>({});

  constructor(live: LiveAnswers) {
    this.#live = live;
  }

  /** Null before the first visit has ended. */
  of(scope: Scope): Divider | null {
    const left = this.#left[scope];
    if (left !== undefined) return left;
    const counts = visitCounts(this.#live, scope);
    const since = instant(counts?.since ?? null);
    const key = counts?.newestKey ?? null;
    return since === null || key === null ? null : { since, key };
  }

  /**
   * Takes that the reader has left a list.
   *
   * @param shownAt since when it was shown, in ms since 1970
   * @param key of the first row that was not waiting above the place where the reader was
   * @param seenAll false if new items still waited: they remain new after the next start
   */
  leave(scope: Scope, { shownAt, key, seenAll }: { shownAt: number; key: number | undefined; seenAll: boolean }): void {
    const now = Date.now();
    // Nothing of the first download is new.
    if (now - shownAt < LOOK_MS || key === undefined || this.of(scope) === null) return;
    const other = scope === 'all' ? 'selected' : 'all';
    // Ending the visit must not move the divider of the other list.
    this.#left = { [other]: this.of(other), [scope]: { since: now, key } };
    if (seenAll) void this.#live.call('visits.end', {});
  }
}
