import { expect, it } from 'vitest';
import { isLongHeadline } from '../../../../src-renderer/ui/text/long-headline.ts';

it.each([
  ['of four lines is not long', 'x'.repeat(160), false],
  ['of more lines is', 'x'.repeat(161), true],
  ['in Chinese is twice as wide as its characters', '长'.repeat(80), false],
  ['in Chinese can be long', '题'.repeat(81), true],
  ['of both is counted by width', `${'x'.repeat(140)}${'题'.repeat(11)}`, true],
])('a headline %s', (_, title, long) => {
  expect(isLongHeadline(title)).toBe(long);
});
