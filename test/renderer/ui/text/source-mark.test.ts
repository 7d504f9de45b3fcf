import { describe, expect, it } from 'vitest';
import { sourceMark } from '../../../../src-renderer/ui/text/source-mark.ts';

const HUES = Array.from({ length: 500 }, (_, n) => sourceMark(`Source ${String(n)}`).hue);

describe('the letter mark of a source', () => {
  it.each([
    ['Northlight Blog', 'N'],
    ['X：Lab (@lab)', 'L'],
    ['“quoted” news', 'Q'],
    ['窄门笔记', '窄'],
    ['𝒜 wide letter', '𝒜'],
    ['ßource', 'S'],
    ['36Kr', '3'],
    ['***', '·'],
    [null, '·'],
  ])('of %s is %s', (name, letter) => {
    expect(sourceMark(name).letter).toBe(letter);
  });

  it('has one colour for all names of a source, and different ones for different sources', () => {
    expect(sourceMark('northlight  BLOG').hue).toBe(sourceMark('Northlight Blog').hue);
    const counts = Object.values(Object.groupBy(HUES, String)).map((same) => same?.length ?? 0);
    expect(counts).toHaveLength(12);
    expect(Math.min(...counts)).toBeGreaterThan(20);
  });
});
