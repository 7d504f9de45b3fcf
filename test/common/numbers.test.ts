import { describe, expect, it } from 'vitest';
import { byteSize, formatCount, shortCount } from '../../src-main/common/numbers.ts';

describe('numbers', () => {
  it('have their thousands separated', () => {
    expect([formatCount('en', 1204), formatCount('zh-CN', 1204)]).toEqual(['1,204', '1,204']);
  });

  it('are short for tokens', () => {
    expect([131_072, 8192, 1_048_576].map(shortCount)).toEqual(['131K', '8.2K', '1M']);
  });

  it('of bytes are in the unit that fits', () => {
    const sizes = [0, 999, 2048, 3_200_000, 5_000_000_000_000].map((bytes) => byteSize(bytes, 'en'));
    expect(sizes).toEqual(['0 byte', '999 byte', '2 kB', '3.2 MB', '5,000 GB']);
  });
});
