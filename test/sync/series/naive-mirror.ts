import type { ItemAction, ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { ServedItem } from '../../../src-main/demo/service.ts';
import { fieldTokens, matchesFields, parseSearch } from '../../store/search/plain-search.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** For how long a list from a cache may still have what was removed. */
const LIST_LIFETIME = 60_000;

interface Departure {
  at: number;
  entered: number;
  /** Nobody knows yet whether the item is still public. */
  isOpen: boolean;
}

/** Expected content of the mirror for one item. Times are ms since 1970. */
export interface NaiveItem {
  served: ServedItem;
  tokens: string[][];
  inSet: boolean;
  /** The list had it. */
  isListed: boolean;
  /** The time it is sorted by, to the second. */
  time: number;
  /** The number of the sync with which it came, or came to another list. */
  entered: number;
  revisedAt: number | null;
  departure: Departure | null;
}

export interface NaiveStatus {
  readAt: number | null;
  starredAt: number | null;
}

export type StatusField = keyof NaiveStatus;

/** The end of the list as it was last looked at. */
interface Tail {
  at: number;
  /** Ids of the rows above it. */
  above: ReadonlySet<string>;
  /** Ids of what leaves the list first. */
  ids: readonly string[];
}

interface Withdrawal {
  at: number;
  time: number;
  entered: number;
}

/** Content of the service at the moment of a sync. */
export interface Served {
  /** The selected set. */
  members: readonly ServedItem[];
  /** Set if the mirror gets it as a snapshot, which doesn't say why others have left it. */
  isSnapshot: boolean;
  /** Members that the changes brought since the last sync; empty if a snapshot did. */
  changed: ReadonlySet<string>;
  /** Pages of `/items?mode=all`. */
  pages: readonly (readonly ServedItem[])[];
  /** The body of the first of them. */
  firstPage: string;
}

/**
 * The mirror as the decisions describe it (docs/decisions/005, 006, 144, 157), in the plainest form: a map, and every
 * list is a filter over it. It shares no code with the store, except the parser of search texts.
 */
export class NaiveMirror {
  readonly items = new Map<string, NaiveItem>();
  readonly statuses = new Map<string, NaiveStatus>();
  readonly withdrawals = new Map<string, Withdrawal[]>();
  /** The times of starred items, as their stars keep them; null for one that never was here. */
  readonly starTimes = new Map<string, number | null>();
  /** Items that a snapshot lacked; those that are too old for the list are withdrawn once another day's one lacks them. */
  readonly lost = new Map<string, { isTooOld: boolean }>();
  #losses: { since: number; at: number; isContradicted: boolean } | null = null;
  #early: { at: number; taken: number } | null = null;
  /** The other snapshot is read in part. */
  #isCheckOpen = false;
  keepDays: number | null = null;
  syncs = 0;
  #swept: { at: number; days: number } | null = null;
  #walkedAt: number | null = null;
  /** Items that leave the list soon, as of the last whole pass. */
  #tail: Tail | null = null;
  /** The first page of the list as last saved; null if it must come again even if nothing in it has changed. */
  #firstPage: string | null = null;
  #reasonsWantedAt: number | null = null;

  /** A complete sync of the selected set and the list. */
  sync(served: Served, urgency: 'now' | 'all', now: number): void {
    this.syncs += 1;
    this.#followSet(served, urgency, now);
    this.#followList(served, urgency, now);
    this.#completeReasons(served, now);
    this.sweep(now);
  }

  /** After any sync: deletes old items, once an hour and after a change of the setting. */
  sweep(now: number): void {
    if (this.keepDays === null || this.syncs === 0 || this.#isCheckOpen) return;
    if (this.#swept?.days === this.keepDays && now - this.#swept.at < HOUR) return;
    this.#swept = { at: now, days: this.keepDays };
    for (const [id, item] of [...this.items]) {
      const isKept = item.inSet || this.#isStarred(id) || this.lost.has(id);
      if (!isKept && this.#isOld(item.time, now)) this.items.delete(id);
    }
  }

  /** A snapshot lacked much: what earlier ones lacked waits for another day again. */
  doubt(now: number): void {
    if (this.#losses) this.#losses.since = now;
  }

  /** The mirror was closed and opened. */
  restart(): void {
    this.#swept = null;
  }

  lastWithdrawal(id: string, of: 'time' | 'at'): number | null {
    const all = this.withdrawals.get(id)?.map((one) => one[of]);
    return all ? Math.max(...all) : null;
  }

  /** Returns the values before, of those that change. */
  mark(ids: readonly string[], action: ItemAction, now: number): Map<string, number | null> {
    const field: StatusField = action === 'read' || action === 'unread' ? 'readAt' : 'starredAt';
    const value = action === 'read' || action === 'star' ? now : null;
    const before = new Map<string, number | null>();
    for (const id of new Set(ids)) {
      const had = this.statusOf(id)[field];
      if ((had === null) !== (value === null)) before.set(id, had);
    }
    if (action === 'star')
      for (const id of before.keys())
        this.starTimes.set(id, this.items.get(id)?.time ?? this.lastWithdrawal(id, 'time'));
    this.restore(field, new Map([...before.keys()].map((id) => [id, value])));
    return before;
  }

  /** @param known only what was there by the sync of this number is marked */
  markAllRead(query: ItemsQuery, known: number, now: number): Map<string, number | null> {
    const ids = this.list(query, now)
      .filter(([id, item]) => item !== null && item.entered <= known && this.statusOf(id).readAt === null)
      .map(([id]) => id);
    return this.mark(ids, 'read', now);
  }

  restore(field: StatusField, values: ReadonlyMap<string, number | null>): void {
    for (const [id, value] of values) this.statuses.set(id, { ...this.statusOf(id), [field]: value });
  }

  statusOf(id: string): NaiveStatus {
    return this.statuses.get(id) ?? { readAt: null, starredAt: null };
  }

  /** Newest first; null for a star whose item is not here. Items of the same second are in order of their ids. */
  list(query: ItemsQuery, now: number): [string, NaiveItem | null][] {
    const { scope, state, category, text } = query;
    const from =
      query.window === 'any' ? 0 : Math.floor((now - (query.window === '24h' ? DAY : 7 * DAY)) / 1000) * 1000;
    const search = parseSearch(text ?? '', 0);
    const found: [string, NaiveItem | null, number][] = [];
    for (const [id, item] of this.items) {
      if (item.time < from || (scope === 'selected' && !item.inSet)) continue;
      if (category !== undefined && item.served.category !== category) continue;
      const { readAt, starredAt } = this.statusOf(id);
      if ((state === 'unread' && readAt !== null) || (state === 'starred' && starredAt === null)) continue;
      if (search.blank || matchesFields(item.tokens, search)) found.push([id, item, item.time]);
    }
    if (scope === 'all' && state === 'starred' && category === undefined && search.blank) {
      for (const [id, time] of this.#shownStars) if (time >= from) found.push([id, null, time]);
    }
    return found.sort(([a, , one], [b, , other]) => other - one || (a < b ? -1 : 1)).map(([id, item]) => [id, item]);
  }

  get #shownStars(): [string, number][] {
    return [...this.starTimes].flatMap(([id, time]) =>
      time !== null && this.#isStarred(id) && !this.items.has(id) ? [[id, time] as [string, number]] : [],
    );
  }

  #isStarred(id: string): boolean {
    return this.statusOf(id).starredAt !== null;
  }

  #followSet({ members, isSnapshot, changed }: Served, urgency: 'now' | 'all', now: number): void {
    const ids = new Set(members.map(({ id }) => id));
    const missing = [...this.items].filter(([id, { inSet }]) => inSet && !ids.has(id));
    for (const [id, item] of missing) this.#leave(id, item, isSnapshot, now);
    for (const served of members) {
      const wasLost = this.lost.delete(served.id);
      if (wasLost && !isSnapshot && this.#losses) this.#losses.isContradicted = true;
      const item = this.items.get(served.id);
      if (!item) this.#add(served, { inSet: true, isListed: false }, now);
      else {
        this.#enter(item, served);
        this.#revise(item, { ...served, reason: item.served.reason ?? null }, now);
      }
      if (changed.has(served.id) && this.items.get(served.id)?.served.reason === null && isRecent(served, now)) {
        this.#reasonsWantedAt = now;
      }
    }
    if (isSnapshot || this.#isChecked(urgency, now)) this.#confirmLosses(isSnapshot ? missing.length : 0, now);
  }

  /** Returns true if another snapshot shows whether the service has what the last one lacked. */
  #isChecked(urgency: 'now' | 'all', now: number): boolean {
    if (this.lost.size === 0 || this.#losses === null) return false;
    const { since, at, isContradicted } = this.#losses;
    if (urgency === 'all' || now - at >= Math.min(DAY, Math.max(HOUR, 3 * (at - since)))) return true;
    if (!isContradicted || this.#early === null) return isContradicted;
    return now - this.#early.at >= Math.min(DAY, (HOUR / 6) * 2 ** (this.#early.taken - 1));
  }

  /** The other snapshot failed: the next one waits as long as after one that was read. Until then, nothing old is deleted. */
  failCheck(now: number, isOpen: boolean): void {
    this.#isCheckOpen = isOpen;
    const { since, isContradicted } = this.#losses ?? { since: now, isContradicted: false };
    if (isContradicted) this.#noteEarly(now);
    this.#losses = { since, at: now, isContradicted: false };
  }

  #noteEarly(now: number): void {
    const isInARow = this.#early !== null && now - this.#early.at < 2 * DAY;
    this.#early = { at: now, taken: isInARow ? (this.#early?.taken ?? 0) + 1 : 1 };
  }

  #confirmLosses(missing: number, now: number): void {
    this.#isCheckOpen = false;
    const { since, isContradicted } = this.#losses ?? { since: now, isContradicted: false };
    if (isContradicted) this.#noteEarly(now);
    for (const [id, { isTooOld }] of [...this.lost]) {
      if (missing > 0 || now - since < (isTooOld ? DAY : HOUR)) continue;
      const item = this.items.get(id);
      this.lost.delete(id);
      if (isTooOld && item && !this.#isStarred(id)) this.#withdraw(id, item, now);
    }
    this.#losses = this.lost.size === 0 ? null : { since: missing > 0 ? now : since, at: now, isContradicted: false };
  }

  /** Within the window of the list it may still be public, and so may be what a snapshot lacks. */
  #leave(id: string, item: NaiveItem, isLost: boolean, now: number): void {
    const times = [item.served.discoveredAt, item.served.publishedAt].map(plausible);
    const latest = Math.max(...times.map((time) => time ?? 0)) || now;
    const isOutOfReach = latest < now - 7 * DAY;
    if (isOutOfReach && !isLost && !this.#isStarred(id)) return this.#withdraw(id, item, now);
    if (isLost) this.lost.set(id, { isTooOld: isOutOfReach && !this.#isStarred(id) });
    item.inSet = false;
    item.departure = { at: now, entered: item.entered, isOpen: !isOutOfReach };
  }

  #withdraw(id: string, item: NaiveItem, now: number): void {
    this.items.delete(id);
    this.lost.delete(id);
    const entered = item.departure?.entered ?? item.entered;
    this.withdrawals.set(id, [...(this.withdrawals.get(id) ?? []), { at: now, time: item.time, entered }]);
    if (this.#isStarred(id)) this.starTimes.set(id, this.starTimes.get(id) ?? item.time);
  }

  /** A change of category counts as new, as does entering the set, unless it was there before. */
  #enter(item: NaiveItem, served: ServedItem): void {
    const returns = item.inSet ? undefined : item.departure?.entered;
    const isNew = !item.inSet || item.served.category !== served.category;
    if (isNew) item.entered = returns ?? this.syncs;
    if (!item.inSet) item.departure = null;
    item.inSet = true;
  }

  #followList({ pages, firstPage }: Served, urgency: 'now' | 'all', now: number): void {
    const open = [...this.items].filter(([, { departure, inSet }]) => departure?.isOpen && !inSet).map(([id]) => id);
    const isFirst = this.#walkedAt === null;
    const isDue = !isFirst && (urgency === 'all' || now - (this.#walkedAt ?? 0) >= 22 * HOUR);
    const isWhole = isDue || this.#lacksTail(pages, now);
    const isUnchanged = firstPage === this.#firstPage;
    if (!isWhole && open.length === 0 && isUnchanged) return;
    this.#firstPage = firstPage;
    const seen = new Set<string>();
    let isThrough = true;
    for (const [index, page] of pages.entries()) {
      const isKnown = page.some(({ id }) => this.items.get(id)?.isListed);
      // An unchanged page was taken before.
      if (index > 0 || !isUnchanged) for (const served of page) this.#listed(served, now);
      for (const { id } of page) seen.add(id);
      if (!isWhole && isKnown && open.every((id) => seen.has(id)) && index < pages.length - 1) {
        isThrough = false;
        break;
      }
    }
    if (isThrough || isFirst) this.#walkedAt = now;
    const leaving = [...this.items].filter(
      ([, item]) => this.#isExpected(item, now) && earliest(item) < now - 5.5 * DAY,
    );
    if (isThrough) this.#tail = tailOf(pages, new Set(leaving.map(([id]) => id)), now);
    for (const id of open) {
      const departure = this.items.get(id)?.departure;
      if (departure && seen.has(id) && now - departure.at >= LIST_LIFETIME) departure.isOpen = false;
    }
    if (isThrough) this.#withdrawAbsent(seen, new Set(open), now);
  }

  #listed(served: ServedItem, now: number): void {
    const item = this.items.get(served.id);
    if (item) {
      item.isListed = true;
      if (this.lost.get(served.id)?.isTooOld) this.lost.delete(served.id);
      if (item.inSet)
        return this.#revise(item, { ...item.served, reason: served.reason ?? item.served.reason ?? null }, now);
      if (item.served.category !== served.category) item.entered = this.syncs;
      return this.#revise(item, served, now);
    }
    const last = this.withdrawals.get(served.id)?.at(-1);
    if (last && now - last.at < LIST_LIFETIME) {
      this.#firstPage = null;
      return;
    }
    const isOld = this.#isOld(sortTime(served, now), now) && !this.#isStarred(served.id);
    if (!isOld) this.#add(served, { inSet: false, isListed: true }, now);
  }

  #withdrawAbsent(seen: ReadonlySet<string>, open: ReadonlySet<string>, now: number): void {
    for (const [id, item] of [...this.items]) {
      if (seen.has(id) || item.inSet) continue;
      // Items that only one snapshot lacked may be selected, and listed elsewhere.
      if (open.has(id) && this.lost.has(id)) continue;
      const isExpected = this.#isExpected(item, now);
      // A starred one may just have left the window.
      if (open.has(id) && !isExpected && this.#isStarred(id) && item.departure) item.departure.isOpen = false;
      else if (open.has(id) || isExpected) this.#withdraw(id, item, now);
    }
  }

  /** True if the list must have it: in the last minutes before it leaves the window, both are right. */
  #isExpected(item: NaiveItem, now: number): boolean {
    const from = now - 7 * DAY + 10 * MINUTE;
    return !item.inSet && item.isListed && earliest(item) >= from && item.time >= Math.floor(from / 1000) * 1000;
  }

  /** Looks every three hours for items that leave the list soon. */
  #lacksTail(pages: Served['pages'], now: number): boolean {
    const tail = this.#tail;
    if (!tail || now - tail.at < 3 * HOUR) return false;
    const expected = (): string[] =>
      tail.ids.filter((id) => {
        const item = this.items.get(id);
        return item !== undefined && this.#isExpected(item, now);
      });
    if (expected().length === 0) return false;
    if (tail.above.size === 0) return true;
    const rows = pages.flat();
    const below = rows.slice(rows.findLastIndex(({ id }) => tail.above.has(id)) + 1);
    for (const served of below) this.#listed(served, now);
    const seen = new Set(below.map(({ id }) => id));
    const isMissing = expected().some((id) => !seen.has(id));
    if (!isMissing) tail.at = now;
    return isMissing;
  }

  #completeReasons({ members, pages }: Served, now: number): void {
    if (this.#reasonsWantedAt === null || now - this.#reasonsWantedAt < LIST_LIFETIME) return;
    this.#reasonsWantedAt = null;
    const selected = new Set(members.map(({ id }) => id));
    for (const { id, reason } of pages.flat()) {
      const item = this.items.get(id);
      if (item && selected.has(id) && typeof reason === 'string') this.#revise(item, { ...item.served, reason }, now);
    }
  }

  #add(served: ServedItem, place: Pick<NaiveItem, 'inSet' | 'isListed'>, now: number): void {
    const whole = { ...served, reason: served.reason ?? null };
    const entered = this.withdrawals.get(served.id)?.at(-1)?.entered ?? this.syncs;
    const time = Math.floor(sortTime(served, now) / 1000) * 1000;
    this.items.set(served.id, {
      ...{ served: whole, tokens: tokensOf(whole), time, entered, revisedAt: null, departure: null },
      ...place,
    });
  }

  #revise(item: NaiveItem, served: ServedItem, now: number): void {
    if (visible(item.served) !== visible(served)) item.revisedAt = now;
    item.time = Math.floor(sortTime(served, now) / 1000) * 1000;
    item.served = served;
    item.tokens = tokensOf(served);
  }

  #isOld(time: number, now: number): boolean {
    return this.keepDays !== null && seconds(time) < seconds(now - this.keepDays * DAY);
  }
}

/** The end of the list from the page on that has the first of these items. */
function tailOf(pages: Served['pages'], leaving: ReadonlySet<string>, at: number): Tail {
  const first = pages.findIndex((page) => page.some(({ id }) => leaving.has(id)));
  const idsOf = (some: Served['pages']): string[] => some.flat().map(({ id }) => id);
  if (first < 0) return { at, above: new Set(), ids: [] };
  return { at, above: new Set(idsOf(pages.slice(0, first))), ids: idsOf(pages).filter((id) => leaving.has(id)) };
}

/** In ms; 0 if one of both is missing. */
function earliest({ served: { discoveredAt, publishedAt } }: NaiveItem): number {
  return Math.min(plausible(discoveredAt) ?? 0, plausible(publishedAt ?? discoveredAt) ?? 0);
}

function isRecent({ discoveredAt }: ServedItem, now: number): boolean {
  return now - Date.parse(discoveredAt) < 7 * DAY;
}

/** Backfilled items keep the time of their publication. */
function sortTime({ discoveredAt, publishedAt }: ServedItem, now: number): number {
  const [discovered, published] = [plausible(discoveredAt), plausible(publishedAt)];
  if (discovered === null) return published ?? now;
  return published !== null && discovered - published > 72 * HOUR ? published : discovered;
}

function plausible(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** Returns the visible text of an item. */
function visible({ title, originalTitle, summary, source, links, attribution }: ServedItem): string {
  return JSON.stringify([title, originalTitle, summary, source.name, links.original, attribution?.name ?? null]);
}

function tokensOf({ title, originalTitle, summary, source, reason }: ServedItem): string[][] {
  return fieldTokens({ key: 0, title, originalTitle, summary, sourceName: source.name, reason: reason ?? null });
}
