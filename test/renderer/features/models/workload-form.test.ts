import { describe, expect, it } from 'vitest';
import { tokensOf } from '../../../../src-renderer/features/models/model-filter.ts';
import { draftOf, figureOf, FIRST_DRAFT, readDraft } from '../../../../src-renderer/features/models/workload-form.ts';

describe('the workload form', () => {
  it('reads whole numbers, and writes them back unchanged', () => {
    const draft = {
      name: ' Chat ',
      tokensIn: '3,000',
      tokensCached: '0',
      tokensOut: '500',
      requestsAMonth: '1 000 000',
    };
    const read = readDraft(draft, 7);
    const workload = {
      id: 7,
      name: 'Chat',
      tokensIn: 3_000,
      tokensCached: 0,
      tokensOut: 500,
      requestsAMonth: 1_000_000,
    };
    expect(read).toEqual({ workload });
    expect(readDraft(draftOf(workload, 'en'), 7)).toEqual({ workload });
  });

  it.each([
    [{ name: '  ' }, 'name', 'nameless'],
    [{ tokensIn: '1.5' }, 'tokensIn', 'notWhole'],
    [{ tokensOut: '-1' }, 'tokensOut', 'notWhole'],
    [{ requestsAMonth: '' }, 'requestsAMonth', 'notWhole'],
    [{ requestsAMonth: '1000000001' }, 'requestsAMonth', 'notWhole'],
    [{ tokensIn: '10', tokensCached: '11' }, 'tokensCached', 'cachedTooMany'],
  ])('with %j reports that the field %s is %s', (changes, field, fault) => {
    expect(readDraft({ ...FIRST_DRAFT, name: 'Chat', ...changes }, undefined)).toEqual({ field, fault });
  });

  it.each([
    ['0', 0],
    ['1,234,567', 1_234_567],
    ['1 000', 1_000],
    ['12,34', null],
    ['1e3', null],
    ['', null],
  ])('reads the number %j as %j', (text, figure) => {
    expect(figureOf(text)).toBe(figure);
  });
});

describe('a count of tokens', () => {
  it.each([
    ['128000', 128_000],
    ['131,072', 131_072],
    ['128k', 128_000],
    ['1M', 1_000_000],
    ['1.5 m', 1_500_000],
    ['0', 0],
    ['', null],
    ['many', null],
    ['-5', null],
    ['1.5', null],
    ['9999999999', null],
  ])('typed as %j is %j', (text, tokens) => {
    expect(tokensOf(text)).toBe(tokens);
  });
});
