import { describe, expect, it } from 'vitest';
import type { Json } from '../../src-main/contract/model/json.ts';
import type { Pricing, Workload } from '../../src-main/contract/model/model.ts';
import { aMillion, isFree, payable, priceUnit, readPrice, workloadCost } from '../../src-main/common/price.ts';

describe('a price', () => {
  it.each<[Json, 'amount' | 'free' | 'negative', string, string]>([
    ['0.00000015', 'amount', '0.00000015', '0.15'],
    ['0.000000000001', 'amount', '0.000000000001', '0.000001'],
    ['1e-7', 'amount', '0.0000001', '0.1'],
    ['1E-7', 'amount', '0.0000001', '0.1'],
    ['0.10000000000000000001', 'amount', '0.10000000000000000001', '100000.00000000000001'],
    ['.5', 'amount', '0.5', '500000'],
    ['5.', 'amount', '5', '5000000'],
    ['+2', 'amount', '2', '2000000'],
    ['00.10', 'amount', '0.1', '100000'],
    ['1e40', 'amount', `1${'0'.repeat(40)}`, `1${'0'.repeat(46)}`],
    [1e-7, 'amount', '0.0000001', '0.1'],
    [0.25, 'amount', '0.25', '250000'],
    ['0', 'free', '0', '0'],
    ['0.000', 'free', '0', '0'],
    ['-0', 'free', '0', '0'],
    ['0e999', 'free', '0', '0'],
    [0, 'free', '0', '0'],
    ['-1', 'negative', '-1', '-1000000'],
    [-0.5, 'negative', '-0.5', '-500000'],
  ])('of %j is %s: %s per unit, %s per million', (given, kind, unit, million) => {
    const price = readPrice(given);
    if (!('value' in price)) throw new Error('It has no value.');
    expect([price.kind, price.value.toFixed(), aMillion(price.value).toFixed()]).toEqual([kind, unit, million]);
  });

  it.each<[Json | undefined]>([[undefined], [null]])('of %j is absent', (given) => {
    expect(readPrice(given)).toEqual({ kind: 'absent' });
  });

  it.each<[Json, string]>([
    ['', ''],
    [' ', ' '],
    [' 1', ' 1'],
    ['abc', 'abc'],
    ['1,5', '1,5'],
    ['$1', '$1'],
    ['0x10', '0x10'],
    ['1e', '1e'],
    ['.', '.'],
    ['--1', '--1'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['1e-999', '1e-999'],
    ['1e41', '1e41'],
    ['1e99999999', '1e99999999'],
    ['１', '１'],
    ['9'.repeat(61), '9'.repeat(61)],
    [true, 'true'],
    [{ amount: '1' }, '{"amount":"1"}'],
    [['1'], '["1"]'],
  ])('of %j is unreadable, and shown unchanged', (given, expected) => {
    expect(readPrice(given)).toEqual({ kind: 'unreadable', given: expected });
  });

  it.each<[Json | undefined, string | null]>([
    ['0.5', '0.5'],
    ['0', '0'],
    ['-1', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('of %j sorts as %j', (given, expected) => {
    expect(payable(readPrice(given))?.toFixed() ?? null).toBe(expected);
  });

  it.each([
    ['prompt', 'token'],
    ['input_cache_read', 'token'],
    ['image', 'image'],
    ['request', 'request'],
    ['web_search', 'search'],
    ['discount', 'share'],
    ['future_price', 'unknown'],
    ['constructor', 'unknown'],
  ])('called %s is per %s', (name, unit) => {
    expect(priceUnit(name)).toBe(unit);
  });
});

describe('a model', () => {
  it.each<[boolean, Pricing]>([
    [true, { prompt: '0' }],
    [true, { prompt: '0.0', completion: '0', image: null, discount: '0.25' }],
    [true, { prompt: 0, completion: 0 }],
    [false, {}],
    [false, { prompt: null, completion: '0' }],
    [false, { completion: '0' }],
    [false, { prompt: '0', completion: '0.1' }],
    [false, { prompt: '0', web_search: '0.01' }],
    [false, { prompt: '0', completion: '' }],
    [false, { prompt: '-1', completion: '0' }],
    [false, { prompt: '0', completion: '-1' }],
    [false, { prompt: 'free' }],
  ])('is free: %s, with the prices %j', (free, pricing) => {
    expect(isFree(pricing)).toBe(free);
  });
});

describe('the monthly cost of a workload', () => {
  const workload = (patch: Partial<Workload> = {}): Workload => ({
    name: 'Mail',
    tokensIn: 1000,
    tokensOut: 200,
    tokensCached: 0,
    requestsAMonth: 30,
    ...patch,
  });
  const prices = { prompt: '0.000001', completion: '0.000005' };

  it.each<[string, Pricing, Partial<Workload>, string, boolean]>([
    ['input and output tokens', prices, {}, '0.06', false],
    [
      'cached tokens at their price',
      { ...prices, input_cache_read: '0.0000001' },
      { tokensCached: 400 },
      '0.0492',
      false,
    ],
    ['cached tokens at the full price, and reports it', prices, { tokensCached: 400 }, '0.06', true],
    [
      'at most as many cached tokens as input tokens',
      { ...prices, input_cache_read: '0' },
      { tokensCached: 5000 },
      '0.03',
      false,
    ],
    ['no assumed price without cached tokens', prices, { tokensCached: 0 }, '0.06', false],
    ['each request', { ...prices, request: '0.01' }, {}, '0.36', false],
    ['free requests', { ...prices, request: '0' }, {}, '0.06', false],
    ['nothing for a free model', { prompt: '0', completion: '0' }, {}, '0', false],
    ['zero for no requests', prices, { requestsAMonth: 0 }, '0', false],
    ['zero for unused units, whatever their price', { prompt: '0.000001' }, { tokensOut: 0 }, '0.03', false],
    ['prices from numbers', { prompt: '1e-7', completion: '5e-7' }, {}, '0.006', false],
    [
      'without rounding',
      { prompt: '0.1', completion: '0.2' },
      { tokensIn: 1, tokensOut: 1, requestsAMonth: 1 },
      '0.3',
      false,
    ],
    [
      'digits beyond a float',
      { prompt: '0.10000000000000000001' },
      { tokensIn: 3, tokensOut: 0, requestsAMonth: 1 },
      '0.30000000000000000003',
      false,
    ],
  ])('counts %s', (_, pricing, patch, usd, cacheAssumed) => {
    const cost = workloadCost(pricing, workload(patch));
    expect([cost?.usd.toFixed(), cost?.cacheAssumed]).toEqual([usd, cacheAssumed]);
  });

  it.each<[string, Pricing, Partial<Workload>]>([
    ['no input price', { completion: '0.1' }, {}],
    ['no output price', { prompt: '0.1' }, {}],
    ['an empty price', { ...prices, prompt: '' }, {}],
    ['a negative price', { ...prices, completion: '-1' }, {}],
    ['a price of null', { ...prices, prompt: null }, {}],
    ['an unreadable request price', { ...prices, request: 'ask us' }, {}],
    ['an unreadable cache price', { ...prices, input_cache_read: '?' }, { tokensCached: 1 }],
    ['a negative cache price', { ...prices, input_cache_read: '-1' }, { tokensCached: 1 }],
  ])('is unknown with %s', (_, pricing, patch) => {
    expect(workloadCost(pricing, workload(patch))).toBeNull();
  });
});
