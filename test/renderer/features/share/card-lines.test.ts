import { describe, expect, it } from 'vitest';
import { breakLines, cutLines, fitText } from '../../../../src-renderer/features/share/draw-card.ts';

/** Latin letters are 10 px wide, others 20. */
const measure = (text: string): number => Array.from(text).reduce((sum, sign) => sum + (sign < '\u0300' ? 10 : 20), 0);

describe('lines of a card', () => {
  it('break between words and Chinese characters, and lose nothing', () => {
    expect(breakLines('One two three four', 100, measure)).toEqual(['One two', 'three four']);
    expect(breakLines('开放的格式，率先采用', 100, measure).every((line) => !line.startsWith('，'))).toBe(true);
    expect(breakLines('开放的格式，率先采用', 100, measure).join('')).toBe('开放的格式，率先采用');
    expect(breakLines('a'.repeat(25), 100, measure)).toEqual(['a'.repeat(10), 'a'.repeat(10), 'a'.repeat(5)]);
  });

  it('get smaller until all of a title is in its box', () => {
    const at = (size: number) => (text: string) => (measure(text) * size) / 20;
    const box = { width: 1_056, height: 300, largest: 68, smallest: 12, leading: 1.28 };
    for (const title of ['Short', 'A long title of many words '.repeat(20), '很长的标题'.repeat(90)]) {
      const { size, lines } = fitText(title, box, at);
      expect(lines.length * size * box.leading).toBeLessThanOrEqual(box.height);
      expect(lines.join('').replaceAll(' ', '')).toBe(title.trim().replaceAll(' ', ''));
    }
  });

  it('end with an ellipsis where they are cut', () => {
    expect(cutLines(['One two', 'three four', 'five'], 2)).toEqual(['One two', 'three fo…']);
    expect(cutLines(['One'], 2)).toEqual(['One']);
  });
});
