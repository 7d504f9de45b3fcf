import { describe, expect, it } from 'vitest';
import { wordDiff, type DiffPart } from '../../../../src-renderer/ui/text/word-diff.ts';

const written = (parts: DiffPart[]): string =>
  parts.map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `+${text}+` : `-${text}-`)).join('');
const without = (parts: DiffPart[], kind: DiffPart['kind']): string =>
  parts
    .filter((part) => part.kind !== kind)
    .map(({ text }) => text)
    .join('');

describe('a word diff', () => {
  it.each([
    ['the same', 'the same', 'the same'],
    ['a quick fox', 'a slow fox', 'a -quick-+slow+ fox'],
    ['one two', 'one two three', 'one two+ three+'],
    [null, 'new', '+new+'],
    ['old', null, '-old-'],
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
