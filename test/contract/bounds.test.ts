import { describe, expect, it } from 'vitest';
import { BroadsheetError } from '../../src-main/contract/errors.ts';
import { checkArgs, guardOf, METHOD_NAMES } from '../../src-main/contract/methods.ts';
import { isBounded, leavesOf } from '../support/arguments.ts';

const messageOf = (method: (typeof METHOD_NAMES)[number], args: unknown): string => {
  try {
    checkArgs(method, args);
  } catch (error) {
    if (error instanceof BroadsheetError) return error.message;
  }
  throw new Error('The arguments were accepted.');
};

describe('the guards', () => {
  it('bound every text, number and list of every method', () => {
    const unbounded = METHOD_NAMES.flatMap((method) =>
      leavesOf(guardOf(method))
        .filter((leaf) => !isBounded(leaf))
        .map(({ path }) => `${method}: ${path.join('.')}`),
    );
    expect(unbounded).toEqual([]);
  });

  it('name each resource once', () => {
    expect(messageOf('sync.run', { urgency: 'now', resources: ['items', 'items'] })).toMatch(/^sync\.run: resources: /);
    expect(messageOf('sync.run', { urgency: 'now', resources: Array(100_000).fill('items') }).length).toBeLessThan(300);
  });

  it.each([
    ['settings.set', { patch: { ['k'.repeat(50_000)]: 1 } }],
    ['counts.get', { ['k'.repeat(50_000)]: 1 }],
    ['settings.set', { patch: { shortcuts: { ['\u{1f004}'.repeat(20_000)]: 'a' } } }],
    ['counts.get', Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key-${n}`, 1]))],
  ] as const)('cut what they quote of %s', (method, args) => {
    const message = messageOf(method, args);
    expect(message.length).toBeLessThan(300);
    expect(message.isWellFormed()).toBe(true);
    expect(message).toMatch(new RegExp(`^${method}: `));
  });
});
