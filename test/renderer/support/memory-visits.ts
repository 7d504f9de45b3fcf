import type { Args, MethodName, Result } from '../../../src-main/contract/methods.ts';
import type { SinceLastVisit, VisitList } from '../../../src-main/contract/model/today.ts';
import type { SyncHealth, GuidePage } from '../../../src-main/contract/model/sync-status.ts';
import type { Revision } from '../../../src-main/contract/model/item.ts';

export type VisitsMethod = Extract<
  MethodName,
  `visits.${string}` | `health.${string}` | `guide.${string}` | 'items.revisions' | 'items.searchOnline'
>;

const SINCE = '2026-03-18T13:20:00.000Z';

/** Counts that are the same in the selected set, unless `selected` says otherwise. */
export function madeUpSinceLastVisit(since: string | null, counts: Partial<SinceLastVisit> = {}): SinceLastVisit {
  const { added = 0, older = 0, revised = 0, withdrawn = 0 } = counts;
  return { since, added, older, revised, withdrawn, selected: counts.selected ?? { added, older, revised } };
}

/**
 * Replies of a core in memory about visits, revisions, the service itself, its guide and data health, as a test sets
 * them.
 */
export class MemoryVisits {
  sinceLastVisit: SinceLastVisit = madeUpSinceLastVisit(SINCE);
  lists: Partial<Record<VisitList, Result<'visits.list'>>> = {};
  revisions: Record<string, Revision[]> = {};
  /** Results of the service, one after the other. */
  found: Result<'items.searchOnline'>[] = [];
  guide: GuidePage = { text: '# Guide', fetchedAt: SINCE, stale: null };
  health: SyncHealth = {
    resources: [],
    files: [{ name: 'mirror.db', bytes: 1_234_567 }],
    integrity: null,
    runs: [],
    problems: [],
    paused: false,
    pausedUntil: null,
    facts: {},
  };

  readonly bodies: { [M in VisitsMethod]: (args: Args<M>) => Result<M> } = {
    'visits.sinceLast': () => this.sinceLastVisit,
    'visits.list': ({ which }) => this.lists[which] ?? { rows: [], withdrawals: [] },
    'visits.end': () => (this.sinceLastVisit = madeUpSinceLastVisit(new Date().toISOString())),
    'items.revisions': ({ id }) => ({ revisions: this.revisions[id] ?? [] }),
    'items.searchOnline': () => this.found.shift() ?? { items: [], next: null, restarted: false },
    'guide.open': () => this.guide,
    'health.get': () => this.health,
    'health.check': () => (this.health = { ...this.health, integrity: { at: SINCE, sound: true, messages: [] } }),
  };
}
