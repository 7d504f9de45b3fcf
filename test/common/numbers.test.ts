import { describe, expect, it } from 'vitest';
import { byteSize, formatCount, shortCount } from '../../src-main/common/numbers.ts';

describe('numbers', () => {
  it('have their thousands separated', () => {
    expect([formatCount('en', 1204), formatCount('zh-CN', 1204)]).toEqual(['1,204', '1,204']);
  });

  it('are short for tokens', () => {
    expect([shortCount(131_072, 'en'), shortCount(128_000, 'zh-CN')]).toEqual(['131.1K', '12.8万']);
  });

  it('of bytes are in the unit that fits', () => {
    const sizes = [0, 999, 2048, 3_200_000, 5_000_000_000_000].map((bytes) => byteSize(bytes, 'en'));
    expect(sizes).toEqual(['0 byte', '999 byte', '2 kB', '3.2 MB', '5,000 GB']);
  });
});
