import { describe, expect, it } from 'vitest';
import type { Json, ModelLine, Workload } from '../../../../src-main/contract/model/model.ts';
import {
  chosenColumns,
  columnsOf,
  fittingColumns,
  sortModels,
} from '../../../../src-renderer/features/models/model-columns.ts';
import { modelEntries } from '../../../../src-renderer/features/models/model-filter.ts';
import { madeUpLine, pricedLine } from '../../support/made-up-models.ts';

const WORKLOAD: Workload = { name: 'Chat', tokensIn: 1, tokensOut: 0, tokensCached: 0, requestsAMonth: 1 };

function order(lines: readonly ModelLine[], column: string, ascending: boolean): string[] {
  const found = columnsOf(lines).find(({ id }) => id === column);
  if (!found) throw new Error(`no column ${column}`);
  return sortModels(modelEntries(lines, 'en'), found, ascending, WORKLOAD, 'en').map(({ line }) => line.id);
}

/** For each column, a lower and a higher value, and a row without one. */
const VALUES: Record<string, [lower: Partial<ModelLine>, higher: Partial<ModelLine>]> = {
  vendor: [{ vendor: 'alder' }, { vendor: 'birch' }],
  context: [{ contextLength: 9_000 }, { contextLength: 10_000 }],
  maxOutput: [{ maxCompletionTokens: 900 }, { maxCompletionTokens: 1_000 }],
  'price.prompt': [{ pricing: { prompt: '9e-8' } }, { pricing: { prompt: '0.0000001' } }],
  'price.completion': [{ pricing: { completion: '0' } }, { pricing: { completion: '0.000000000001' } }],
  'price.input_cache_read': [{ pricing: { input_cache_read: '1' } }, { pricing: { input_cache_read: '2' } }],
  'price.image': [{ pricing: { image: '0.9' } }, { pricing: { image: '10' } }],
  'price.request': [{ pricing: { request: '0.05' } }, { pricing: { request: '0.5' } }],
  'price.telepathy': [{ pricing: { telepathy: '0.05' } }, { pricing: { telepathy: '0.5' } }],
  cost: [{ pricing: { prompt: '0' } }, { pricing: { prompt: '1' } }],
  inputs: [{ inputModalities: ['audio'] }, { inputModalities: ['text'] }],
  outputs: [{ outputModalities: ['audio'] }, { outputModalities: ['text'] }],
  created: [{ created: 1 }, { created: 2 }],
  expiry: [{ expirationDate: '2026-12-31' }, { expirationDate: '2027-01-01' }],
  cutoff: [{ knowledgeCutoff: '2024-06' }, { knowledgeCutoff: '2025-01-01' }],
  moderated: [{ moderated: false }, { moderated: true }],
  parameters: [{ supportedParameters: ['a'] }, { supportedParameters: ['a', 'b'] }],
  tokenizer: [{ tokenizer: 'BPE' }, { tokenizer: 'Other' }],
  firstSeen: [{ firstSeenAt: '2026-10-01T08:00:00Z' }, { firstSeenAt: '2026-10-02T08:00:00Z' }],
};

describe('models', () => {
  it.each(Object.entries(VALUES))('sorted by %s have unknown values last in both directions', (column, values) => {
    const lines = [
      madeUpLine('unknown', { firstSeenAt: '' }),
      madeUpLine('higher', values[1]),
      madeUpLine('lower', values[0]),
    ];
    expect(order(lines, column, true)).toEqual(['lower', 'higher', 'unknown']);
    expect(order(lines, column, false)).toEqual(['higher', 'lower', 'unknown']);
  });

  it('lose columns from the right where a pane is narrow, and never the name', () => {
    const all = chosenColumns(columnsOf([]), null);
    const fitting = (rem: number): string[] => fittingColumns(all, rem).map(({ id }) => id);
    const whole = all.reduce((sum, { width }) => sum + width, 0);
    expect(fitting(whole)).toEqual(all.map(({ id }) => id));
    for (let rem = whole; rem > 0; rem -= 1) {
      const ids = fitting(rem);
      expect(ids).toEqual(all.slice(0, ids.length).map(({ id }) => id));
      expect(ids[0]).toBe('name');
    }
    expect(fitting(1)).toEqual(['name']);
  });

  it('have a test for every column', () => {
    const all = columnsOf([pricedLine('a', '1'), madeUpLine('b', { pricing: { telepathy: '1' } })]);
    expect(all.map(({ id }) => id).sort()).toEqual(['name', ...Object.keys(VALUES)].sort());
  });

  it('are sorted by prices as decimals, free ones as zero, and invalid ones as unknown', () => {
    const prices: [string, Json][] = [
      ['free', '0'],
      ['least', '0.000000000001'],
      ['a', '0.1000000000000000000001'],
      ['b', '0.1000000000000000000002'],
      ['negative', '-1'],
      ['empty', ''],
      ['null', null],
      ['word', 'dear'],
    ];
    const lines = prices.map(([id, price]) => pricedLine(id, price)).reverse();
    expect(order(lines, 'price.prompt', true)).toEqual([
      ...['free', 'least', 'a', 'b'],
      ...['empty', 'negative', 'null', 'word'],
    ]);
    expect(order(lines, 'price.prompt', false)).toEqual([
      ...['b', 'a', 'least', 'free'],
      ...['empty', 'negative', 'null', 'word'],
    ]);
  });

  it('with equal values are sorted by name, then by id, in both directions', () => {
    const lines = [
      madeUpLine('z/2', { name: 'Same', contextLength: 8 }),
      madeUpLine('z/1', { name: 'Same', contextLength: 8 }),
      madeUpLine('a/9', { name: 'Model 10', contextLength: 8 }),
      madeUpLine('a/8', { name: 'Model 9', contextLength: 8 }),
    ];
    expect(order(lines, 'context', true)).toEqual(['a/8', 'a/9', 'z/1', 'z/2']);
    expect(order(lines, 'context', false)).toEqual(['a/8', 'a/9', 'z/1', 'z/2']);
    expect(order(lines, 'name', false)).toEqual(['z/2', 'z/1', 'a/9', 'a/8']);
  });

  it('that are favourites come first, sorted among themselves', () => {
    const favouriteAt = '2026-11-01T00:00:00Z';
    const lines = [
      madeUpLine('low', { contextLength: 1 }),
      madeUpLine('high', { contextLength: 9 }),
      madeUpLine('favourite', { contextLength: 5, favouriteAt }),
      madeUpLine('unknown favourite', { favouriteAt }),
    ];
    expect(order(lines, 'context', true)).toEqual(['favourite', 'unknown favourite', 'low', 'high']);
    expect(order(lines, 'context', false)).toEqual(['favourite', 'unknown favourite', 'high', 'low']);
  });
});
