import { PURPOSE, SeededRandom } from '../random.ts';
import {
  both,
  type Bilingual,
  type Category,
  type Fact,
  type Kind,
  type Language,
  KINDS,
  ORGANISATIONS,
  OUTLETS,
  TERMS,
  type Organisation,
} from './texts.ts';

/** Percentages. News events with several items use the first four. */
const SHARES: readonly [Category, number][] = [
  ['ai-models', 29],
  ['ai-products', 24],
  ['industry', 19],
  ['paper', 13],
  ['tip', 8],
  ['opinion', 7],
];
const SHARES_OF_EVENTS = SHARES.slice(0, 4);

/** An arc is four events on one organisation, spread over two days of living content. */
const EVENTS_PER_ARC = 4;
const ARC_SPREAD = 6;

export function isCategory(value: unknown): value is Category {
  return typeof value === 'string' && Object.hasOwn(KINDS, value);
}

export interface Subject {
  organisation: Organisation;
  kind: Kind;
  fact: Fact;
}

export function categoryOf(seed: number, slot: number, newsEvent: number | null): Category {
  const random = randomFor(seed, slot, newsEvent, 2);
  const shares = newsEvent === null ? SHARES : SHARES_OF_EVENTS;
  let rest = random.next() * shares.reduce((sum, [, share]) => sum + share, 0);
  for (const [category, share] of shares) {
    rest -= share;
    if (rest < 0) return category;
  }
  return 'ai-models';
}

export function arcOf(newsEvent: number): number {
  const span = EVENTS_PER_ARC * ARC_SPREAD;
  return Math.floor(newsEvent / span) * ARC_SPREAD + (newsEvent % ARC_SPREAD);
}

function randomFor(seed: number, slot: number, newsEvent: number | null, salt: number): SeededRandom {
  return newsEvent === null
    ? new SeededRandom(seed, PURPOSE.item, slot, salt)
    : new SeededRandom(seed, PURPOSE.newsEvent, newsEvent, salt);
}

/** Gives all items on a news event the same subject; the events of an arc differ in kind. */
export function subjectOf(seed: number, slot: number, newsEvent: number | null, category: Category): Subject {
  const what = randomFor(seed, slot, newsEvent, 3);
  const who =
    newsEvent === null
      ? new SeededRandom(seed, PURPOSE.people, slot)
      : new SeededRandom(seed, PURPOSE.people, arcOf(newsEvent), 1);
  const kinds = KINDS[category];
  const organisation = who.pick(ORGANISATIONS);
  const drawn =
    newsEvent === null ? what.between(0, kinds.length - 1) : who.between(0, 99) + Math.floor(newsEvent / ARC_SPREAD);
  // Items that a test added have slots and events below zero.
  return { organisation, kind: kinds[Math.abs(drawn) % kinds.length] as Kind, fact: factOf(organisation, what) };
}

function factOf(organisation: Organisation, random: SeededRandom): Fact {
  const rival = rivalOf(organisation, random);
  const trillions = random.between(6, 32);
  const size = random.pick(TERMS.sizes);
  const hundreds = random.between(6, 95);
  const outletOf = (language: Language) => same(random.pick(OUTLETS[language]).name);
  const values: Record<string, Bilingual> = {
    org: organisation.name,
    rival: rival.name,
    model: random.pick(organisation.models),
    rivalModel: random.pick(rival.models),
    product: random.pick(organisation.products),
    bench: same(random.pick(TERMS.benchmarks)),
    task: random.pick(TERMS.tasks),
    field: random.pick(TERMS.fields),
    method: random.pick(TERMS.methods),
    city: random.pick(TERMS.cities),
    licence: random.pick(TERMS.licences),
    audience: random.pick(TERMS.audiences),
    outletZh: outletOf('zh'),
    outletEn: outletOf('en'),
    params: same(size.total),
    active: same(size.active),
    context: same(random.pick(TERMS.contexts)),
    tokens: { zh: `${trillions} 万亿`, en: `${trillions} trillion` },
    money: { zh: ` ${hundreds / 10} 亿美元`, en: `$${hundreds * 10} million` },
    price: same(random.pick(TERMS.prices)),
    score: same((random.between(480, 930) / 10).toFixed(1)),
    pct: same(random.between(6, 48)),
    small: same(random.between(2, 9)),
    times: same((random.between(14, 46) / 10).toFixed(1)),
    rank: same(random.between(3, 24)),
    count: same(random.between(12, 96) * 10),
    pages: same(random.between(9, 64)),
    weeks: same(random.between(2, 14)),
    users: same(random.between(3, 90)),
    speed: same(random.between(11, 58)),
    latency: same(random.between(9, 60) * 10),
    memory: same(random.pick([16, 24, 32, 48, 80])),
  };
  const inLanguage = (language: Language) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value[language]]));
  return { zh: inLanguage('zh'), en: inLanguage('en') };
}

function rivalOf(organisation: Organisation, random: SeededRandom): Organisation {
  const step = random.between(1, ORGANISATIONS.length - 1);
  const place = (ORGANISATIONS.indexOf(organisation) + step) % ORGANISATIONS.length;
  return ORGANISATIONS[place] as Organisation;
}

function same(value: string | number): Bilingual {
  return both(String(value));
}
