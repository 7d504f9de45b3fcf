import { expect, it } from 'vitest';
import { headlineSize } from '../../../../src-renderer/ui/text/headline-size.ts';

it.each([
  ['a short one', 'x'.repeat(80), 'full'],
  ['one of more than three lines', 'x'.repeat(81), 'long'],
  ['a very long one', 'x'.repeat(161), 'longest'],
  ['a short Chinese one', '长'.repeat(40), 'full'],
  ['a Chinese one twice as wide as its characters', '长'.repeat(41), 'long'],
  ['a very long Chinese one', '题'.repeat(81), 'longest'],
  ['a mixed one', `${'x'.repeat(60)}${'题'.repeat(11)}`, 'long'],
])('sets %s', (_, title, size) => {
  expect(headlineSize(title)).toBe(size);
});
