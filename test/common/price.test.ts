import { describe, expect, it } from 'vitest';
import type { Json } from '../../src-main/contract/model/json.ts';
import type { Pricing, Workload } from '../../src-main/contract/model/model.ts';
import { aMillion, isFree, payable, priceUnit, readPrice, workloadCost } from '../../src-main/common/price.ts';

describe('A price', () => {
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
  ])('of %j is %s: %s a unit, %s a million', (given, kind, unit, million) => {
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
  ])('of %j cannot be read, and is told as it came', (given, told) => {
    expect(readPrice(given)).toEqual({ kind: 'unreadable', given: told });
  });

  it.each<[Json | undefined, string | null]>([
    ['0.5', '0.5'],
    ['0', '0'],
    ['-1', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('of %j can be paid as %j', (given, told) => {
    expect(payable(readPrice(given))?.toFixed() ?? null).toBe(told);
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
  ])('called %s is for one %s', (name, unit) => {
    expect(priceUnit(name)).toBe(unit);
  });
});

describe('A model', () => {
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
  ])('is free: %s, of prices %j', (free, pricing) => {
    expect(isFree(pricing)).toBe(free);
  });
});

describe('A month of a workload', () => {
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
    ['tokens in and out', prices, {}, '0.06', false],
    [
      'what is cached at its own price',
      { ...prices, input_cache_read: '0.0000001' },
      { tokensCached: 400 },
      '0.0492',
      false,
    ],
    ['what is cached at the full price, and says so', prices, { tokensCached: 400 }, '0.06', true],
    ['no more as cached than is sent', { ...prices, input_cache_read: '0' }, { tokensCached: 5000 }, '0.03', false],
    ['nothing as cached without a doubt about its price', prices, { tokensCached: 0 }, '0.06', false],
    ['each request', { ...prices, request: '0.01' }, {}, '0.36', false],
    ['free requests', { ...prices, request: '0' }, {}, '0.06', false],
    ['nothing for a free model', { prompt: '0', completion: '0' }, {}, '0', false],
    ['nothing for no requests', prices, { requestsAMonth: 0 }, '0', false],
    ['nothing for what is not used, whatever its price', { prompt: '0.000001' }, { tokensOut: 0 }, '0.03', false],
    ['prices that came as digits of numbers', { prompt: '1e-7', completion: '5e-7' }, {}, '0.006', false],
    [
      'prices without a rounding',
      { prompt: '0.1', completion: '0.2' },
      { tokensIn: 1, tokensOut: 1, requestsAMonth: 1 },
      '0.3',
      false,
    ],
    [
      'digits that no float has',
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
    ['no price for what goes in', { completion: '0.1' }, {}],
    ['no price for what comes out', { prompt: '0.1' }, {}],
    ['an empty price', { ...prices, prompt: '' }, {}],
    ['a negative price', { ...prices, completion: '-1' }, {}],
    ['a price of null', { ...prices, prompt: null }, {}],
    ['a request price that cannot be read', { ...prices, request: 'ask us' }, {}],
    ['a cache price that cannot be read', { ...prices, input_cache_read: '?' }, { tokensCached: 1 }],
    ['a negative cache price', { ...prices, input_cache_read: '-1' }, { tokensCached: 1 }],
  ])('is not known with %s', (_, pricing, patch) => {
    expect(workloadCost(pricing, workload(patch))).toBeNull();
  });
});
