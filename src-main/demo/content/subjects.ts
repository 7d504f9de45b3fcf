import { PURPOSE, Dice } from '../dice.ts';
import type { Bilingual, Category, Fact, Kind, Language } from './template.ts';
import { KINDS, ORGANISATIONS, OUTLETS, TERMS, type Organisation } from './texts.ts';

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
  const size = dice.pick(TERMS.sizes);
  const hundreds = dice.between(6, 95);
  const outletOf = (language: Language) => same(dice.pick(OUTLETS[language]).name);
  const values: Record<string, Bilingual> = {
    org: organisation.name,
    rival: rival.name,
    model: dice.pick(organisation.models),
    rivalModel: dice.pick(rival.models),
    product: dice.pick(organisation.products),
    bench: same(dice.pick(TERMS.benchmarks)),
    task: dice.pick(TERMS.tasks),
    field: dice.pick(TERMS.fields),
    method: dice.pick(TERMS.methods),
    city: dice.pick(TERMS.cities),
    licence: dice.pick(TERMS.licences),
    audience: dice.pick(TERMS.audiences),
    outletZh: outletOf('zh'),
    outletEn: outletOf('en'),
    params: same(size.total),
    active: same(size.active),
    context: same(dice.pick(TERMS.contexts)),
    tokens: { zh: `${trillions} 万亿`, en: `${trillions} trillion` },
    money: { zh: ` ${hundreds / 10} 亿美元`, en: `$${hundreds * 10} million` },
    price: same(dice.pick(TERMS.prices)),
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
  const inLanguage = (language: Language) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value[language]]));
  return { zh: inLanguage('zh'), en: inLanguage('en') };
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
