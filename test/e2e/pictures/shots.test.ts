import { describe, expect, it } from 'vitest';
import { LANGUAGES, dealt, shotsUpTo } from './support/shots.ts';

describe('the windows of the short form', () => {
  const said = ({ shot, language }: ReturnType<typeof dealt>): string =>
    `${shot.width} ${shot.colorScheme} ${language.name}`;

  it.each([0, 7, 16])('are every size, scheme and language for the 20 scenes from number %i on', (first) => {
    const windows = Array.from({ length: 20 }, (_none, index) => said(dealt(first + index)));
    const every = shotsUpTo(Infinity, { narrowest: true }).flatMap((shot) =>
      LANGUAGES.map((language) => said({ shot, language })),
    );
    expect(every).toHaveLength(20);
    expect(new Set(windows)).toEqual(new Set(every));
  });

  it('are never wider than the scene can be', () => {
    const widths = Array.from({ length: 20 }, (_none, index) => dealt(index, 480).shot.width);
    expect(new Set(widths)).toEqual(new Set([480, 320]));
  });
});
