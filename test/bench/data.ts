// The items of the benchmark: titles of about 60 characters, summaries of about 300, English and Chinese mixed. Always the
// same, but for their times.
import { mix, SeededRandom } from '../../src-main/demo/random.ts';
import type { Json } from '../../src-main/contract/model/model.ts';

/** A word in a few items only, spread over all times and ids: once a search finds all of them, everything is searchable. */
export const MARKER = 'quillmarker';
export const MARKERS = 20;

const CATEGORIES = ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'];
const DAY = 86_400_000;
const SPAN = 3 * 365 * DAY;
/** The start of today: until a first load is complete, only the items of the last week are shown. */
export const NEWEST = Math.floor(Date.now() / DAY) * DAY;

const CONSONANTS = Array.from('bcdfghklmnprstvw');
const VOWELS = Array.from('aeiou');
const COMMON =
  'the of a to model and in new reasoning for is agent price on with benchmark open release tokens data'.split(' ');
const COMMON_ZH = [
  '模型',
  '推理',
  '的',
  '智能',
  '代理',
  '发布',
  '开源',
  '研究',
  '新',
  '公司',
  '训练',
  '价格',
  '数据',
  '推理模型',
];
const ENGLISH = [...COMMON, ...madeWords(6000, madeWord)];
const CHINESE = [...COMMON_ZH, ...madeWords(4000, madeChinese)];

export type BenchItem = { [field: string]: Json } & {
  id: string;
  title: string;
  summary: string;
  discoveredAt: string;
};

/** All items, oldest first. Their ids are random in time. */
export function benchItems(count: number): BenchItem[] {
  return Array.from({ length: count }, (_, index) => benchItem(index, count));
}

export function inOrderOfId(items: readonly BenchItem[]): BenchItem[] {
  return items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** A word that a version adds to some of its items. */
export function versionWord(version: number): string {
  return `version${String.fromCharCode(97 + version)}`;
}

/** The same item with another title, as a change brings it. */
export function edited(item: BenchItem, version: number, isMarked: boolean): BenchItem {
  return { ...item, title: `${item.title} ${isMarked ? versionWord(version) : `(${String(version)})`}` };
}

function benchItem(index: number, count: number): BenchItem {
  const random = new SeededRandom(7, index);
  const id = `b${mix(11, index).toString(36).padStart(7, '0')}${index.toString(36)}`;
  const time = NEWEST - Math.floor(((count - 1 - index) * SPAN) / count);
  const chinese = random.chance(0.6);
  const marked = index % Math.max(1, Math.floor((count - 1) / (MARKERS - 1))) === 0 && index / count < 1;
  const summary = chinese ? text(random, CHINESE, 130, '') : text(random, ENGLISH, 300, ' ');
  return {
    id,
    title: chinese ? text(random, CHINESE, 30, '') : text(random, ENGLISH, 60, ' '),
    originalTitle: chinese && random.chance(0.6) ? text(random, ENGLISH, 60, ' ') : null,
    summary: marked ? `${summary} ${MARKER}` : summary,
    source: { name: `Source ${String(random.between(1, 60))}` },
    links: {
      original: `https://site-${String(random.between(1, 400))}.example/post/${id}`,
      aihot: `https://news.example/items/${id}`,
    },
    publishedAt: new Date(time - random.between(1, 90) * 60_000).toISOString(),
    discoveredAt: new Date(time).toISOString(),
    category: random.pick(CATEGORIES),
    score: random.between(0, 100),
    selected: true,
    attribution: null,
  };
}

/** Words as often as in real texts: the n-th word one n-th as often as the first. */
function text(random: SeededRandom, words: readonly string[], length: number, gap: string): string {
  let written = '';
  while (written.length < length) {
    const word = words[Math.floor(words.length ** random.next()) - 1] ?? '';
    written += written === '' ? word : gap + word;
    if (random.chance(0.06)) written += gap === '' ? '，' : ',';
  }
  return written;
}

function madeWords(count: number, make: (random: SeededRandom) => string): string[] {
  const random = new SeededRandom(5, count);
  return Array.from({ length: count }, () => make(random));
}

function madeWord(random: SeededRandom): string {
  const syllables = Array.from({ length: random.between(2, 4) }, () => random.pick(CONSONANTS) + random.pick(VOWELS));
  return syllables.join('') + random.pick(['', 'n', 's', 'r', 'ing']);
}

function madeChinese(random: SeededRandom): string {
  const character = (): string => String.fromCharCode(0x4e00 + Math.floor(2500 ** random.next()) * 7);
  return character() + character();
}
