import { iso } from '../http.ts';
import type { ServedItem } from '../options.ts';
import { mix, PURPOSE, SeededRandom } from '../random.ts';
import {
  both,
  type Bilingual,
  type Category,
  type Fact,
  type Kind,
  joinSentences,
  KINDS,
  type Language,
  type Organisation,
  ORGANISATIONS,
  OUTLETS,
  render,
  TERMS,
  UPDATES,
} from './texts.ts';

/** The service's pages do not exist: the domain `.example` is reserved. */
export const PAGES = 'https://demo.broadsheet.example';

export interface Style {
  pages: string;
  /** Sources have raw names, and every item credits the service itself. */
  raw: boolean;
  language?: Language | undefined;
}

const PLAIN: Style = { pages: PAGES, raw: false };

export interface ItemOutline {
  id: string;
  /** Everything about the item follows from its number and the seed. */
  slot: number;
  /** Shared by all items on the event; null for a single item. */
  newsEvent: number | null;
  category: Category;
  discoveredAt: number;
  publishedAt: number | null;
  score: number;
  markedSelected: boolean;
  titleRevision: number;
  summaryRevision: number;
}

/** Writes 9 of 20 items in Chinese about an English original, 6 in Chinese and 5 in English, unless all have one language. */
export function writeItem(seed: number, outline: ItemOutline, { pages, raw, language: only }: Style): ServedItem {
  const subject = subjectOf(seed, outline.slot, outline.newsEvent, outline.category);
  const random = new SeededRandom(seed, PURPOSE.wording, outline.slot);
  const form = random.next();
  const language: Language = only ?? (form < 0.75 ? 'zh' : 'en');
  const translated = language === 'zh' && form < 0.45;
  const origin = originOf(subject, translated ? 'en' : language, random, outline);
  const wording = wordingOf(subject, random.between(0, 11), outline.titleRevision);
  const title = render(wording, subject.fact, language);
  const originalTitle = translated ? render(wording, subject.fact, 'en') : null;
  const summary = summaryOf(subject, language, random, outline.summaryRevision);
  const reason = outline.markedSelected ? render(random.pick(subject.kind.reasons), subject.fact, language) : null;
  return {
    id: outline.id,
    title,
    originalTitle,
    summary,
    source: { name: raw ? rawSourceName(origin.name) : origin.name },
    links: { original: origin.url, aihot: `${pages}/items/${outline.id}` },
    publishedAt: outline.publishedAt === null ? null : iso(outline.publishedAt),
    discoveredAt: iso(outline.discoveredAt),
    category: outline.category,
    score: outline.score,
    selected: outline.markedSelected,
    reason,
    attribution: raw ? { name: 'Broadsheet demo', url: `${pages}/items/${outline.id}` } : attributionOf(random, only),
  };
}

export function isFirstParty(seed: number, outline: ItemOutline): boolean {
  const { organisation } = subjectOf(seed, outline.slot, outline.newsEvent, outline.category);
  const { source } = writeItem(seed, outline, PLAIN);
  return source.name === organisation.name.zh || source.name === organisation.name.en;
}

function wordingOf({ kind }: Subject, choice: number, revision: number): Bilingual {
  return kind.titles[(choice + revision) % kind.titles.length] as Bilingual;
}

function summaryOf({ kind, fact }: Subject, language: Language, random: SeededRandom, revision: number): string {
  const sentences = [random.pick(kind.leads), ...random.some(kind.details, random.between(2, 3))];
  const updates = Array.from(
    { length: Math.min(revision, 2) },
    (_, index) => UPDATES[(index + revision) % UPDATES.length],
  );
  return joinSentences([...sentences, ...updates], fact, language);
}

function originOf(
  { organisation, kind }: Subject,
  language: Language,
  random: SeededRandom,
  { discoveredAt, slot, newsEvent }: ItemOutline,
): { name: string; url: string } {
  const outlet = random.pick(OUTLETS[language]);
  const own = random.chance(newsEvent === null ? 0.22 : 0.12) && !kind.independent;
  const [year, month] = iso(discoveredAt).split('-');
  const article = `${year}/${month}/${random.pick(['notes', 'news', 'posts', 'p', 'read'])}-${Math.abs(slot).toString(36)}`;
  if (own) return { name: organisation.name[language], url: `https://www.${organisation.domain}/blog/${article}` };
  return { name: outlet.name, url: `https://${outlet.domain}/${article}` };
}

function attributionOf(random: SeededRandom, only: Language | undefined): ServedItem['attribution'] {
  if (!random.chance(0.07)) return null;
  const { name, domain } = random.pick(only ? OUTLETS[only] : [...OUTLETS.zh, ...OUTLETS.en]);
  return { name, url: `https://${domain}/` };
}

const NOTES = {
  zh: ['每周一至周五更新，编辑部精选', '官方账号'],
  en: ['full feed, English edition', 'official'],
};

/** Adds a platform, a handle or a note in brackets, as raw sources do. Half of the names stay plain. */
function rawSourceName(name: string): string {
  const form = mix(...Buffer.from(name)) % 8;
  const notes = /\p{Script=Han}/u.test(name) ? NOTES.zh : NOTES.en;
  if (form === 0) return `X：${name} (@${handleOf(name)})`;
  if (form === 1) return `公众号：${name}（${notes[0]}）`;
  if (form === 2) return `${name}（${notes[1]}）`;
  if (form === 3) return `RSS: ${name} (${notes[0]})`;
  return name;
}

function handleOf(name: string): string {
  const letters = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return letters === '' ? `user_${mix(...Buffer.from(name)).toString(36)}` : letters;
}

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

interface Subject {
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
    bench: random.pick(TERMS.benchmarks),
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
