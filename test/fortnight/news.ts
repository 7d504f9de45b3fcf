import { agenda, DAY, digest, HOUR, MINUTE, random, rfc3339, type Agenda, type Random } from './random.ts';

/** Items older than this are not listed (document 1 section 4.1). */
export const WINDOW = 7 * DAY;
/** A source's own time that is further back than this is kept as the time of the item (observed-1-backfill). */
const ORDINARY_DELAY = 72 * HOUR;
const HISTORY = 32 * DAY;
const CATEGORIES = ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion', 'a-new-category'];
const WORDS =
  'model agent weights release paper benchmark token context tool 模型 发布 智能体 推理 open source chip robot voice image lab court price safety'.split(
    ' ',
  );
const ODD = ['<script>alert(1)</script>', '**bold** [link](x)', '👩‍💻', 'line\nbreak', '&amp; &lt;b&gt;'];

export interface Item {
  id: string;
  title: string;
  originalTitle: string | null;
  summary: string | null;
  source: number;
  link: string;
  publishedAt: number | null;
  discoveredAt: number;
  category: string | null;
  score: number | null;
  /** The item's own flag, which is no membership. */
  selected: boolean;
  reason: string | null;
  attribution: { name: string; url: string } | null;
  event: NewsEvent;
  /** A member of the selected set: it has the seat of its event. */
  member: boolean;
  /** Gone from everything. */
  withdrawn: boolean;
  /** When anything about it changed last, as lists show it. */
  changedAt: number;
  arrivedAt: number;
  /** Until then answers carry it without a title. */
  brokenUntil: number;
}

/** An event in the world. Several sources report it, and one report has its seat in the selected set. */
export interface NewsEvent {
  id: string;
  firstAt: number;
  items: Item[];
}

export interface LedgerEntry {
  id: string;
  at: number;
}

export interface News {
  agenda: Agenda;
  dice: Random;
  items: ReadonlyMap<string, Item>;
  events: readonly NewsEvent[];
  sources: readonly string[];
  /** Each change of the selected set; the sequence number is the index. */
  ledger: readonly LedgerEntry[];
  onArrival(listener: (item: Item, at: number) => void): void;
}

/** The time rule of the documents for one item. */
export function ownTime(item: Pick<Item, 'publishedAt' | 'discoveredAt'>): number {
  const { publishedAt, discoveredAt } = item;
  return publishedAt !== null && discoveredAt - publishedAt > ORDINARY_DELAY ? publishedAt : discoveredAt;
}

/** The key of `by=timeline`: a selected representative follows the first appearance of its group. */
export function timelineTime(item: Item): number {
  return item.member ? Math.min(ownTime(item), item.event.firstAt) : ownTime(item);
}

/** News from a month before `start` until `end`. */
export function makeNews(seed: number, start: number, end: number): News {
  const dice = random(seed);
  const plan = agenda();
  const items = new Map<string, Item>();
  const events: NewsEvent[] = [];
  const ledger: LedgerEntry[] = [];
  const listeners: ((item: Item, at: number) => void)[] = [];
  const sources = Array.from({ length: 40 }, (_, n) =>
    n % 7 === 3 ? `X：Name ${n} (@handle${n})` : n % 9 === 4 ? `Organisation ${n}：长名（研究院）` : `Source ${n}`,
  );

  const words = (count: number) => Array.from({ length: count }, () => dice.pick(WORDS)).join(' ');
  const text = (count: number) => words(count) + (dice.chance(0.05) ? ` ${dice.pick(ODD)} end` : '');
  const record = (item: Item, at: number) => {
    item.changedAt = at;
    if (item.member) ledger.push({ id: item.id, at });
  };
  const unseat = (item: Item, at: number) => {
    if (!item.member) return;
    record(item, at);
    item.member = false;
  };
  const seat = (item: Item, at: number) => {
    if (item.withdrawn || item.member) return;
    for (const other of item.event.items) unseat(other, at);
    item.member = true;
    record(item, at);
  };
  const holder = (event: NewsEvent) => event.items.find((item) => item.member);

  function withdraw(item: Item, at: number) {
    if (item.withdrawn) return;
    const hadSeat = item.member;
    unseat(item, at);
    item.withdrawn = true;
    item.changedAt = at;
    const heir = item.event.items.find((other) => other.selected && !other.withdrawn);
    if (hadSeat && heir && dice.chance(0.6)) seat(heir, at + MINUTE);
  }

  function edit(item: Item, at: number) {
    const kind = dice.between(1, 5);
    if (kind <= 2) item.title = text(dice.between(4, 9));
    if (kind >= 2 && kind <= 3) item.summary = dice.chance(0.1) ? null : text(30);
    if (kind === 4) item.category = dice.pick(CATEGORIES);
    if (kind === 5) item.link = `${item.link.split('#')[0]!}#corrected-${at}`;
    if (item.selected && dice.chance(0.3)) item.reason = `Because ${text(6)}`;
    record(item, at);
  }

  function correctTimes(item: Item, at: number) {
    const shift = dice.between(-80, 80) * HOUR;
    if (item.publishedAt !== null && dice.chance(0.6)) item.publishedAt = Math.min(at, item.publishedAt + shift);
    else item.discoveredAt = Math.min(at, item.discoveredAt + Math.round(shift / 3));
    record(item, at);
  }

  function plannedLife(item: Item, at: number) {
    const later = (probability: number, longest: number, act: (item: Item, at: number) => void) => {
      if (dice.chance(probability)) plan.at(at + dice.between(1, longest / MINUTE) * MINUTE, (time) => act(item, time));
    };
    const alive = (act: (item: Item, at: number) => void) => (one: Item, time: number) => {
      if (!one.withdrawn) act(one, time);
    };
    later(0.2, 6.9 * DAY, alive(edit));
    later(0.05, 25 * DAY, alive(edit));
    later(0.05, 6.5 * DAY, alive(correctTimes));
    later(0.07, 7 * DAY, withdraw);
    // A seat is given up at any age, and the item stays public.
    later(0.06, 25 * DAY, alive(unseat));
    later(0.03, 3 * DAY, (one, time) => {
      one.selected = !one.withdrawn;
      if (!one.withdrawn) seat(one, time);
    });
  }

  function arrive(at: number) {
    const recent = events.slice(-200).filter((event) => at - event.firstAt < 2 * DAY);
    const event: NewsEvent =
      recent.length > 0 && dice.chance(0.35)
        ? dice.pick(recent)
        : { id: digest(`event ${events.length}`), firstAt: at, items: [] };
    if (event.items.length === 0) events.push(event);
    const n = items.size + 1;
    const source = dice.between(0, sources.length - 1);
    const delay = dice.chance(0.04)
      ? dice.between(400, 3400) * DAY
      : dice.chance(0.05)
        ? dice.between(50, 100) * HOUR
        : dice.between(2, 1200) * MINUTE;
    const selected = dice.chance(0.3);
    const item: Item = {
      id: `${dice.pick(['c', 'd', 'k', 'm'])}${digest(`item ${n}`, 15)}`,
      title: text(dice.between(4, 10)),
      originalTitle: dice.chance(0.01)
        ? words(400).slice(0, 1055).replace(/ $/u, '.')
        : dice.chance(0.6)
          ? words(7)
          : null,
      summary: dice.chance(0.95) ? text(30) : null,
      source,
      link: `https://source-${source}.example/articles/${n}?id=${n}`,
      publishedAt: dice.chance(0.05) ? null : at - delay,
      discoveredAt: at,
      category: dice.chance(0.97) ? dice.pick(CATEGORIES) : null,
      score: dice.chance(0.9) ? dice.between(0, 100) : null,
      selected,
      reason: selected && dice.chance(0.9) ? `Because ${text(6)}` : null,
      attribution: dice.chance(0.1) ? { name: 'Provider', url: `https://provider.example/${n}` } : null,
      event,
      member: false,
      withdrawn: false,
      changedAt: at,
      arrivedAt: at,
      brokenUntil: dice.chance(0.01) ? at + 5 * HOUR : 0,
    };
    event.items.push(item);
    items.set(item.id, item);
    if (selected && (!holder(event) || dice.chance(0.5))) seat(item, at);
    plannedLife(item, at);
    if (item.brokenUntil > 0) plan.at(item.brokenUntil, (time) => record(item, time));
    for (const listener of listeners) listener(item, at);
  }

  for (let day = start - HISTORY; day < end; day += DAY) {
    for (let left = dice.between(80, 150); left > 0; left -= 1)
      plan.at(day + dice.between(0, DAY / 1000 - 1) * 1000, arrive);
  }
  for (let day = start - DAY; day < end; day += 2 * DAY) {
    plan.at(day + dice.between(0, DAY / MINUTE) * MINUTE, (at) => {
      const source = dice.between(0, sources.length - 1);
      sources[source] = `${sources[source]!.split(' · ')[0]!} · since ${rfc3339(at).slice(0, 10)}`;
      for (const item of items.values()) if (item.source === source && !item.withdrawn) record(item, at);
    });
  }
  return { agenda: plan, dice, items, events, sources, ledger, onArrival: (listener) => void listeners.push(listener) };
}
