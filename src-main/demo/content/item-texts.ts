import { iso } from '../http.ts';
import type { ServedItem } from '../options.ts';
import { mix, PURPOSE, SeededRandom } from '../random.ts';
import { type Subject, subjectOf } from './subjects.ts';
import { type Bilingual, type Category, type Language, OUTLETS, render, UPDATES } from './texts.ts';

/** The service's pages do not exist: the domain `.example` is reserved. */
export const PAGES = 'https://demo.broadsheet.example';

export interface Style {
  pages: string;
  /** Sources have raw names, and every item credits the service itself. */
  raw: boolean;
}

export const PLAIN: Style = { pages: PAGES, raw: false };

export interface ItemOutline {
  id: string;
  /** Everything about the item follows from its number and the seed. */
  slot: number;
  /** Shared by all items on the event; null for a single item. */
  newsEvent: number | null;
  category: Category;
  /** Milliseconds since 1970, like `publishedAt`. */
  discoveredAt: number;
  publishedAt: number | null;
  score: number;
  /** The value of `selected` on `/items`. */
  markedSelected: boolean;
  titleRevision: number;
  summaryRevision: number;
}

/** Writes 9 of 20 items in Chinese about an English original, 6 in Chinese and 5 in English. */
export function writeItem(seed: number, outline: ItemOutline, { pages, raw }: Style): ServedItem {
  const subject = subjectOf(seed, outline.slot, outline.newsEvent, outline.category);
  const random = new SeededRandom(seed, PURPOSE.wording, outline.slot);
  const form = random.next();
  const language: Language = form < 0.75 ? 'zh' : 'en';
  const translated = form < 0.45;
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
    attribution: raw ? { name: 'Broadsheet demo', url: `${pages}/items/${outline.id}` } : attributionOf(random),
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
  return [...sentences, ...updates.filter((update) => update !== undefined)]
    .map((sentence) => render(sentence, fact, language))
    .join(language === 'zh' ? '' : ' ');
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

/** Credits an intermediary in a few items. */
function attributionOf(random: SeededRandom): ServedItem['attribution'] {
  if (!random.chance(0.07)) return null;
  const { name, domain } = random.pick([...OUTLETS.zh, ...OUTLETS.en]);
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
