import { PURPOSE, Dice } from '../dice.ts';
import { OPINION_KINDS, TIP_KINDS } from './essays.ts';
import { INDUSTRY_KINDS } from './industry.ts';
import { MODEL_KINDS } from './models.ts';
import { AUDIENCES, BENCHMARKS, CITIES, FIELDS, LICENCES, METHODS, ORGANISATIONS, OUTLETS_IN, TASKS } from './names.ts';
import type { Organisation } from './names.ts';
import { PAPER_KINDS } from './papers.ts';
import { PRODUCT_KINDS } from './products.ts';
import type { Bilingual, Category, Fact, Kind } from './template.ts';

const KINDS: Record<Category, readonly Kind[]> = {
  'ai-models': MODEL_KINDS,
  'ai-products': PRODUCT_KINDS,
  industry: INDUSTRY_KINDS,
  paper: PAPER_KINDS,
  tip: TIP_KINDS,
  opinion: OPINION_KINDS,
};

/** Out of a hundred items; events that many report on are of the first four categories. */
const SHARES: readonly [Category, number][] = [
  ['ai-models', 29],
  ['ai-products', 24],
  ['industry', 19],
  ['paper', 13],
  ['tip', 8],
  ['opinion', 7],
];
const SHARES_OF_EVENTS = SHARES.slice(0, 4);

/** Parameters in all and active for a token. */
const SIZES = [
  ['14B', '2.1B'],
  ['32B', '3.6B'],
  ['72B', '8B'],
  ['120B', '5.1B'],
  ['235B', '22B'],
  ['480B', '35B'],
  ['1T', '37B'],
] as const;

/** Events of one arc are about the same organisation: four of them, spread over two days of living content. */
const EVENTS_AN_ARC = 4;
const ARC_SPREAD = 6;

export function isCategory(value: unknown): value is Category {
  return typeof value === 'string' && Object.hasOwn(KINDS, value);
}

export interface Subject {
  organisation: Organisation;
  kind: Kind;
  fact: Fact;
}

export function categoryOf(seed: number, slot: number, event: number | null): Category {
  const dice = event === null ? new Dice(seed, PURPOSE.item, slot, 2) : new Dice(seed, PURPOSE.event, event, 2);
  const shares = event === null ? SHARES : SHARES_OF_EVENTS;
  let rest = dice.next() * shares.reduce((sum, [, share]) => sum + share, 0);
  for (const [category, share] of shares) {
    rest -= share;
    if (rest < 0) return category;
  }
  return 'ai-models';
}

/** Number of the arc that an event belongs to. */
export function arcOf(event: number): number {
  const span = EVENTS_AN_ARC * ARC_SPREAD;
  return Math.floor(event / span) * ARC_SPREAD + (event % ARC_SPREAD);
}

/** What an item is about. All reports on one event are about the same; the events of an arc differ in kind. */
export function subjectOf(seed: number, slot: number, event: number | null, category: Category): Subject {
  const what = event === null ? new Dice(seed, PURPOSE.item, slot, 3) : new Dice(seed, PURPOSE.event, event, 3);
  const who = event === null ? new Dice(seed, PURPOSE.people, slot) : new Dice(seed, PURPOSE.people, arcOf(event), 1);
  const kinds = KINDS[category];
  const organisation = who.pick(ORGANISATIONS);
  const drawn =
    event === null ? what.between(0, kinds.length - 1) : who.between(0, 99) + Math.floor(event / ARC_SPREAD);
  return { organisation, kind: kinds[drawn % kinds.length] as Kind, fact: factOf(organisation, what) };
}

function factOf(organisation: Organisation, dice: Dice): Fact {
  const rival = rivalOf(organisation, dice);
  const trillions = dice.between(6, 32);
  const size = dice.pick(SIZES);
  const hundreds = dice.between(6, 95);
  const outletOf = (language: 'zh' | 'en') => same(dice.pick(OUTLETS_IN[language]).name);
  return {
    org: organisation.name,
    rival: rival.name,
    model: dice.pick(organisation.models),
    rivalModel: dice.pick(rival.models),
    product: dice.pick(organisation.products),
    bench: same(dice.pick(BENCHMARKS)),
    task: dice.pick(TASKS),
    field: dice.pick(FIELDS),
    method: dice.pick(METHODS),
    city: dice.pick(CITIES),
    licence: dice.pick(LICENCES),
    audience: dice.pick(AUDIENCES),
    outletZh: outletOf('zh'),
    outletEn: outletOf('en'),
    params: same(size[0]),
    active: same(size[1]),
    context: same(dice.pick(['128K', '200K', '256K', '512K', '1M', '2M'])),
    tokens: { zh: `${trillions} 万亿`, en: `${trillions} trillion` },
    money: { zh: ` ${hundreds / 10} 亿美元`, en: `$${hundreds * 10} million` },
    price: same(dice.pick(['0.06', '0.12', '0.18', '0.25', '0.40', '0.75', '1.10', '2.50'])),
    score: same((dice.between(480, 930) / 10).toFixed(1)),
    pct: same(dice.between(6, 48)),
    small: same(dice.between(2, 9)),
    times: same((dice.between(14, 46) / 10).toFixed(1)),
    rank: same(dice.between(3, 24)),
    count: same(dice.between(12, 96) * 10),
    pages: same(dice.between(9, 64)),
    weeks: same(dice.between(2, 14)),
    users: same(dice.between(3, 90)),
    speed: same(dice.between(11, 58)),
    latency: same(dice.between(9, 60) * 10),
    memory: same(dice.pick([16, 24, 32, 48, 80])),
  };
}

function rivalOf(organisation: Organisation, dice: Dice): Organisation {
  const step = dice.between(1, ORGANISATIONS.length - 1);
  const place = (ORGANISATIONS.indexOf(organisation) + step) % ORGANISATIONS.length;
  return ORGANISATIONS[place] as Organisation;
}

function same(value: string | number): Bilingual {
  const text = String(value);
  return { zh: text, en: text };
}
