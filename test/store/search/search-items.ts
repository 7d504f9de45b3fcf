import type { SearchableItem } from '../../../src-main/store/search/search-index.ts';

/** Random numbers in [0, 1) from a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

/** Few enough to occur often, with everything that is hard to index. */
const VOCABULARY = [
  ...['new', 'reasoning', 'model', 'reason', 'models', 'open', 'weights', 'agent', 'benchmark', 'release', 'or', 'not'],
  ...['GPT-5', 'Qwen3', 'v2.5', 'node.js', "don't", 'C++', '100%', 'state-of-the-art', 'Café', 'naïve', 'e\u0301tude'],
  ...['推理', '模型', '推理模型', '新模型', '开源', '发布', '大模型', '模', '智能体', '評測', '𠮷野家', '葛\u{e0100}'],
  ...[
    'ガイド',
    'か\u3099く',
    'ｶﾞｲﾄﾞ',
    '한국어',
    '\u1112\u1161\u11ab국',
    'ＧＰＴ',
    'ﬁne',
    'Straße',
    'ΣΊΣΥΦΟΣ',
    'ёлка',
    'İstanbul',
  ],
  ...[
    '\u{1f680}',
    '👩‍💻',
    '—',
    '“',
    '”',
    '「',
    '」',
    '"',
    "'",
    '*',
    '-',
    ':',
    '^',
    '(',
    ')',
    '\0',
    '\ud800',
    '\udc00',
    '\n',
  ],
] as const;

const JOINTS = ['', ' ', ' ', ' ', '，', '-', '. '] as const;

export function randomText(random: () => number, words: number): string {
  let text = '';
  for (let i = 0; i < words; i++) text += pick(random, VOCABULARY) + pick(random, JOINTS);
  return text;
}

export function randomItem(random: () => number, key: number): SearchableItem {
  const maybe = (words: number): string | null => (random() < 0.3 ? null : randomText(random, words));
  const title = randomText(random, 1 + Math.floor(random() * 6));
  return { key, title, originalTitle: maybe(4), summary: maybe(15), sourceName: maybe(2), reason: maybe(5) };
}

export function randomQuery(random: () => number): string {
  let text = '';
  const words = 1 + Math.floor(random() * 3);
  for (let i = 0; i < words; i++) {
    const word = randomText(random, random() < 0.3 ? 2 : 1);
    const shapes = [
      word,
      word,
      `"${word}"`,
      `-${word}`,
      `-"${word}"`,
      `${word.slice(0, 3)}*`,
      `OR ${word}`,
      `"${word}"*`,
    ];
    text += `${pick(random, shapes)}${pick(random, [' ', ' ', ''])}`;
  }
  return text;
}

/** An item with the given title and other fields. */
export function itemTitled(key: number, title: string, rest: Partial<SearchableItem> = {}): SearchableItem {
  return { key, title, originalTitle: null, summary: null, sourceName: null, reason: null, ...rest };
}
