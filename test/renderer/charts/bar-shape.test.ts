import { describe, expect, it } from 'vitest';
import { barPath } from '../../../src-renderer/charts/bar-shape.ts';

describe('bars', () => {
  it('fill the height with the highest value, and stand beside one another', () => {
    expect(barPath([1, 2], { width: 20, height: 10 })).toBe('M1,10v-5h8v5zM11,10v-10h8v10z');
  });

  it('have the scale of several charts if it is given', () => {
    expect(barPath([5], { width: 10, height: 10 }, 20)).toBe('M1,10v-2.5h8v2.5z');
  });

  it('show a small value, and nothing for none', () => {
    expect(barPath([1, 0, 1_000], { width: 30, height: 20 })).toBe('M1,20v-1.5h8v1.5zM21,20v-20h8v20z');
    expect(barPath([0, 0], { width: 30, height: 20 })).toBe('');
    expect(barPath([], { width: 30, height: 20 })).toBe('');
  });
});
