import { describe, expect, it } from 'vitest';
import { bestFit, fitOf } from '../../../../src-renderer/features/palette/entry.ts';

describe('what fits', () => {
  it.each([
    ['mark', 'Mark all as read', 0],
    ['read mark', 'Mark all as read', 1],
    ['ark', 'Mark all as read', 3],
    ['mr', 'Mark all as read', 4],
    ['maar', 'Mark all as read', 2],
    ['ht', 'Go to the pane on the right', 3],
    ['hotop', 'Hot topics', 4],
    ['ht', 'Hot topics', 2],
    ['th', 'Hot topics', null],
    ['目录', '模型目录', 2],
    ['模目', '模型目录', 4],
    ['resume', 'Résumé', 0],
    ['ｈｏｔ', 'Hot topics', 0],
    ['', 'Hot topics', 0],
  ])('%s in %s: %s', (typed, text, fit) => {
    expect(fitOf(typed, text)).toBe(fit);
  });

  it('is the best of several names', () => {
    expect(bestFit('settings', ['设置', 'Settings'])).toBe(0);
    expect(bestFit('nothing', ['设置', 'Settings'])).toBeNull();
  });

  it('looks only at the beginnings of long texts', () => {
    const long = 'a '.repeat(100_000);
    expect(fitOf('a'.repeat(100_000), long)).toBe(2);
    expect(fitOf('ab'.repeat(50_000), long)).toBeNull();
    // Only what comes after the beginnings differs.
    expect(fitOf(`${'a'.repeat(80)}b`, 'a'.repeat(80))).toBe(0);
    expect(fitOf('b', `${'a '.repeat(150)}b`)).toBeNull();
  });
});
