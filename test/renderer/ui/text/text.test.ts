import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromFirstHit, highlightsOf } from '../../../../src-renderer/ui/text/highlights.ts';
import { oneLine, paragraphs, plainText, textLanguage } from '../../../../src-main/common/text.ts';
import { unknownFields } from '../../../../src-renderer/ui/text/unknown-fields.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { isLongHeadline } from '../../../../src-renderer/ui/text/long-headline.ts';
import { wordDiff, type DiffPart } from '../../../../src-renderer/ui/text/word-diff.ts';

const joined = (parts: { text: string }[]): string => parts.map((part) => part.text).join('');

describe('marked parts', () => {
  it('are the hits and what is between them', () => {
    expect(highlightsOf('a new model', [[2, 5]])).toEqual([
      { text: 'a ', hit: false },
      { text: 'new', hit: true },
      { text: ' model', hit: false },
    ]);
  });

  it('keep the whole text, whatever the ranges are', () => {
    const place = fc.integer({ min: -3, max: 20 });
    fc.assert(
      fc.property(fc.array(fc.tuple(place, place)), (ranges) => {
        expect(joined(highlightsOf('推理 model 推理', ranges))).toBe('推理 model 推理');
      }),
    );
  });
});

describe('a snippet in a narrow row', () => {
  it('starts with a whole word shortly before its first hit', () => {
    const text = `${'word '.repeat(10)}hit and hit`;
    const moved = fromFirstHit(
      text,
      [
        [50, 53],
        [58, 61],
      ],
      7,
    );
    expect(moved.text).toBe('…word hit and hit');
    expect(highlightsOf(moved.text, moved.ranges).filter(({ hit }) => hit)).toEqual([
      { text: 'hit', hit: true },
      { text: 'hit', hit: true },
    ]);
  });

  it('does not start with the end of a sentence', () => {
    expect(fromFirstHit('It works (today). Pilots say the gain', [[29, 32]], 18).text).toBe('…Pilots say the gain');
  });

  it('is whole when the hit is near its start, and when there is none', () => {
    expect(fromFirstHit('a hit', [[2, 5]], 5)).toEqual({ text: 'a hit', ranges: [[2, 5]] });
    expect(fromFirstHit('none', [], 5)).toEqual({ text: 'none', ranges: [] });
  });

  it('starts with a Chinese clause where one is near, also if it was cut before', () => {
    expect(fromFirstHit('每秒八个词元，首词延迟，支持推理', [[14, 16]], 9).text).toBe('…首词延迟，支持推理');
    expect(fromFirstHit('…元，首词推理', [[5, 7]], 9)).toEqual({ text: '…首词推理', ranges: [[3, 5]] });
  });

  it('does not begin with half a character', () => {
    expect(fromFirstHit(`${'🙂'.repeat(9)}hit`, [[18, 21]], 5).text.isWellFormed()).toBe(true);
  });
});

describe('a text of the service', () => {
  it('loses control characters and lone surrogates, and nothing else', () => {
    expect(plainText('a\u0000b\u001b[31mc\ud800d\te\nf <b>', 100)).toBe('ab[31mc\ufffdd\te\nf <b>');
  });

  it('is cut at its limit', () => {
    expect(plainText('x'.repeat(1_000_000), 10)).toBe(`${'x'.repeat(10)}…`);
  });

  it('is one line in a list', () => {
    expect(oneLine(' a\n\n b\tc ', 100)).toBe('a b c');
  });

  it('has its paragraphs where it has line feeds', () => {
    expect(paragraphs('one\n\n two \n')).toEqual(['one', 'two']);
  });

  it('may be missing', () => {
    expect(oneLine(null, 10)).toBe('');
  });
});

describe('fields that neither document names', () => {
  it('are shown, also those inside of known ones', () => {
    const item = madeUpRow(1, 0, {
      extra: { readingMinutes: 4, note: '<i>' },
      source: { name: 'x', country: 'CH' },
      links: { original: null, aihot: null, archive: 'https://a.example' },
      attribution: { name: 'y', url: null, licence: 'CC' },
    });
    expect(unknownFields(item)).toEqual([
      { name: 'readingMinutes', value: '4' },
      { name: 'note', value: '<i>' },
      { name: 'source.country', value: 'CH' },
      { name: 'links.archive', value: 'https://a.example' },
      { name: 'attribution.licence', value: 'CC' },
    ]);
  });
});

it.each([
  ['Model releases: what changed this week', 'en'],
  ['It doesn’t “just work”', 'en'],
  ['模型发布：本周的变化', 'zh'],
  ['GPT-5.5 Instant 发布', 'zh'],
  ['OpenAI 称“智能体”将成为 ChatGPT 的默认入口', 'zh'],
  ['大規模言語モデルの新しい評価', 'ja'],
  ['大语言模型の新评测与开源工具链的进展', 'zh'],
  ['초거대 언어 모델의 새로운 평가', 'ko'],
  ['DeepSeek releases a long technical report about 深度求索 and the weights of its largest model', 'en'],
  ['Новая модель', ''],
  ['𠮷野家', 'zh'],
  ['2026: 100 %', ''],
  ['', ''],
])('takes "%s" for "%s"', (text, language) => {
  expect(textLanguage(text)).toBe(language);
});

it('looks at the beginning of a long text only', () => {
  expect(textLanguage(`${'English words. '.repeat(10_000)}${'中文'.repeat(100_000)}`)).toBe('en');
});

it.each([
  ['of four lines is not long', 'x'.repeat(160), false],
  ['of more lines is', 'x'.repeat(161), true],
  ['in Chinese is counted by width', `${'x'.repeat(140)}${'题'.repeat(11)}`, true],
])('a headline %s', (_, title, long) => {
  expect(isLongHeadline(title)).toBe(long);
});

const written = (parts: DiffPart[]): string =>
  parts.map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `+${text}+` : `-${text}-`)).join('');
const without = (parts: DiffPart[], kind: DiffPart['kind']): string =>
  parts
    .filter((part) => part.kind !== kind)
    .map(({ text }) => text)
    .join('');

describe('a word diff', () => {
  it.each([
    ['a quick fox', 'a slow fox', 'a -quick-+slow+ fox'],
    [null, 'new', '+new+'],
    ['', '', ''],
    ['released the model today', 'withdrew a version today', '-released the model-+withdrew a version+ today'],
    ['模型今天发布', '模型昨天发布', '模型-今天-+昨天+发布'],
    ['参数为320亿。', '参数为330亿。', '参数为-320-+330+亿。'],
  ])('of %j and %j is %j', (before, after, parts) => {
    expect(written(wordDiff(before, after))).toBe(parts);
  });

  it('holds both texts whole, whatever they are', () => {
    const pool = ['模型', '发布', ' ', ', ', 'weights', 'open', '。', '\n', '😀', "don't", '3.5', 'é'];
    let seed = 7;
    const draw = (): string => pool[(seed = (seed * 16_807) % 2_147_483_647) % pool.length] ?? '';
    for (let n = 0; n < 200; n += 1) {
      const [before, after] = [Array.from({ length: 30 }, draw).join(''), Array.from({ length: 30 }, draw).join('')];
      const parts = wordDiff(before, after);
      expect(without(parts, 'added')).toBe(before);
      expect(without(parts, 'removed')).toBe(after);
    }
  });

  it('tells texts without a word in common one after the other', () => {
    const [before, after] = [0, 1].map((odd) => Array.from({ length: 4_000 }, (_, n) => `w${n * 2 + odd}`).join(' '));
    const parts = wordDiff(before!, after!);
    expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added']);
  });
});
