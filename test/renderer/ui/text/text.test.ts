import { describe, expect, it } from 'vitest';
import { fromFirstHit, highlightsOf } from '../../../../src-renderer/ui/text/highlights.ts';
import { oneLine, paragraphs, plainText } from '../../../../src-main/common/text.ts';
import { unknownFields } from '../../../../src-renderer/ui/text/unknown-fields.ts';
import { madeUpRow } from '../../support/made-up-items.ts';

const joined = (parts: { text: string }[]): string => parts.map((part) => part.text).join('');

describe('marked parts', () => {
  it('are the hits and what is between them', () => {
    expect(highlightsOf('a new model', [[2, 5]])).toEqual([
      { text: 'a ', hit: false },
      { text: 'new', hit: true },
      { text: ' model', hit: false },
    ]);
  });

  it.each([
    ['none', []],
    [
      'over one another',
      [
        [0, 4],
        [2, 6],
      ],
    ],
    [
      'out of order',
      [
        [5, 7],
        [0, 2],
      ],
    ],
    [
      'outside the text',
      [
        [-3, 2],
        [9, 400],
      ],
    ],
    [
      'empty or backwards',
      [
        [3, 3],
        [6, 2],
      ],
    ],
  ] as [string, [number, number][]][])('keep the whole text when ranges are %s', (_, ranges) => {
    expect(joined(highlightsOf('推理 model 推理', ranges))).toBe('推理 model 推理');
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
