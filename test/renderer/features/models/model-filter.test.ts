import { describe, expect, it } from 'vitest';
import type { ModelLine } from '../../../../src-main/contract/model/model.ts';
import {
  decimal,
  facetsOf,
  filterModels,
  filterParts,
  modelEntries,
  NO_FILTER,
  partName,
  withoutPart,
  tokensOf,
  type ModelFilter,
} from '../../../../src-renderer/features/models/model-filter.ts';
import { inLocale } from '../../../support/locale.ts';
import { madeUpLine } from '../../support/made-up-models.ts';
import { draftOf, figureOf, FIRST_DRAFT, readDraft } from '../../../../src-renderer/features/models/workload-form.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

const LINES: ModelLine[] = [
  madeUpLine('alder/oak', {
    name: 'Çedar Ｏak',
    description: 'For long documents',
    contextLength: 128_000,
    inputModalities: ['text', 'image'],
    outputModalities: ['text'],
    pricing: { prompt: '0.00000015', completion: '0.0000006' },
    moderated: true,
    supportedParameters: ['tools', 'seed'],
    expirationDate: '2026-12-01',
    favouriteAt: '2026-11-01T00:00:00Z',
  }),
  madeUpLine('birch/elm', {
    name: 'Elm 北光',
    contextLength: 32_768,
    inputModalities: ['text'],
    outputModalities: ['text', 'audio'],
    pricing: { prompt: '0', completion: '0' },
    moderated: false,
    supportedParameters: ['tools'],
    expirationDate: '2027-06-30',
  }),
  madeUpLine('bare', { pricing: { prompt: '-1' } }),
];

function found(changes: Partial<ModelFilter>): string[] {
  return filterModels(modelEntries(LINES, 'en'), { ...NO_FILTER, ...changes }, NOW).map(({ line }) => line.id);
}

describe('a filter of models', () => {
  it.each<[Partial<ModelFilter>, string[]]>([
    [{}, ['alder/oak', 'birch/elm', 'bare']],
    [{ text: 'cedar' }, ['alder/oak']],
    [{ text: 'OAK long' }, ['alder/oak']],
    [{ text: '北光' }, ['birch/elm']],
    [{ text: 'birch/' }, ['birch/elm']],
    [{ text: 'oak elm' }, []],
    [{ vendors: ['alder', 'birch'] }, ['alder/oak', 'birch/elm']],
    [{ inputs: ['text', 'image'] }, ['alder/oak']],
    [{ outputs: ['audio'] }, ['birch/elm']],
    [{ parameters: ['tools', 'seed'] }, ['alder/oak']],
    [{ contextFrom: 128_000 }, ['alder/oak']],
    [{ contextTo: 127_999 }, ['birch/elm']],
    [{ priceFrom: '0.15', priceTo: '0.15' }, ['alder/oak']],
    [{ priceTo: '0' }, ['birch/elm']],
    [{ priceTo: 'a lot' }, ['alder/oak', 'birch/elm', 'bare']],
    [{ free: true }, ['birch/elm']],
    [{ moderated: 'yes' }, ['alder/oak']],
    [{ moderated: 'no' }, ['birch/elm']],
    [{ expiring: 'dated' }, ['alder/oak', 'birch/elm']],
    [{ expiring: 'soon' }, ['alder/oak']],
    [{ favourites: true }, ['alder/oak']],
  ])('%j matches %j', (changes, ids) => {
    expect(found(changes)).toEqual(ids);
  });

  it('is split into parts that can be removed one by one', () => {
    const filter: ModelFilter = {
      ...NO_FILTER,
      ...{ text: 'oak', vendors: ['alder', 'birch'], contextFrom: 1, contextTo: 2, priceTo: '0.5', free: true },
      ...{ moderated: 'no', expiring: 'soon', favourites: true },
    };
    const parts = filterParts(filter);
    expect(parts).toHaveLength(9);
    expect(parts.reduce(withoutPart, filter)).toEqual(NO_FILTER);
    expect(filterParts(withoutPart(filter, { of: 'vendors', value: 'alder' }))).toHaveLength(8);
    for (const locale of ['en', 'zh-CN'] as const) {
      const names = inLocale(locale, () => parts.map((part) => partName(filter, part, 'en')));
      expect(new Set(names).size).toBe(9);
      expect(names.join('|')).toContain('$0.50');
    }
  });

  it('offers the values that occur, with the number of models', () => {
    const facets = facetsOf(LINES);
    expect(facets.vendors).toEqual([
      { value: 'alder', count: 1 },
      { value: 'birch', count: 1 },
    ]);
    expect(facets.inputs).toEqual([
      { value: 'image', count: 1 },
      { value: 'text', count: 2 },
    ]);
    expect(facets.parameters.find(({ value }) => value === 'tools')?.count).toBe(2);
  });

  it.each([
    ['0.15', '0.15'],
    ['.5', '0.5'],
    [' 3 ', '3'],
    ['1e3', null],
    ['-1', null],
    ['', null],
  ])('reads %j as the bound %j', (text, bound) => {
    expect(decimal(text)?.toString() ?? null).toBe(bound);
  });
});

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
    [{ requestsAMonth: '1000000001' }, 'requestsAMonth', 'notWhole'],
    [{ tokensIn: '10', tokensCached: '11' }, 'tokensCached', 'cachedTooMany'],
  ])('with %j reports that the field %s is %s', (changes, field, fault) => {
    expect(readDraft({ ...FIRST_DRAFT, name: 'Chat', ...changes }, undefined)).toEqual({ field, fault });
  });

  it.each([
    ['1 000', 1_000],
    ['12,34', null],
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
    ['many', null],
    ['1.5', null],
    ['9999999999', null],
  ])('typed as %j is %j', (text, tokens) => {
    expect(tokensOf(text)).toBe(tokens);
  });
});
