import { describe, expect, it } from 'vitest';
import { compileRule } from '../../../src-main/store/rules/rule-query.ts';

const reasonOf = (kind: 'mute' | 'saved', text: string): string | undefined => compileRule(kind, text).problem?.reason;

describe('a rule that only leaves words out', () => {
  it.each(['-gpt', '－价格', '-gpt -"an old model"', 'model OR -gpt'])(
    '%j can’t be saved or muted, and says why',
    (text) => {
      expect(reasonOf('saved', text)).toBe('rule_only_excludes');
      expect(reasonOf('mute', text)).toBe('rule_only_excludes');
    },
  );

  it('is not meant by one that leaves a source out, or wants a word', () => {
    for (const text of ['-source:eval', '-source:eval -gpt', 'model -gpt'])
      expect(reasonOf('saved', text)).toBeUndefined();
  });

  it('is not understood first, if it is not', () => {
    expect(reasonOf('saved', '-has:wings')).toBe('rule_not_understood');
    expect(reasonOf('saved', '…')).toBe('rule_empty');
  });
});

it('a time that moves on can be saved, but not muted: items would come back', () => {
  expect(reasonOf('saved', 'model after:7d')).toBeUndefined();
  expect(reasonOf('mute', 'model after:7d')).toBe('rule_changing_term');
  expect(reasonOf('mute', 'model after:2026-11-20')).toBeUndefined();
});
