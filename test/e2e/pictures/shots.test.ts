import { expect, it } from 'vitest';
import { dealt } from './support/shots.ts';

it.each([0, 7, 16])('the windows of 12 scenes from number %i on have every size, scheme and language', (first) => {
  const windows = Array.from({ length: 12 }, (_none, index) => {
    const { shot, language } = dealt(first + index);
    return `${shot.width} ${shot.colorScheme} ${language.name}`;
  });
  expect(new Set(windows).size).toBe(12);
});

it('the windows of a scene are never wider than it can be', () => {
  const widths = Array.from({ length: 12 }, (_none, index) => dealt(index, 480).shot.width);
  expect(new Set(widths)).toEqual(new Set([320]));
});
