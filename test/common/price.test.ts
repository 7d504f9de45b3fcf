import { describe, expect, it } from 'vitest';
import type { Json } from '../../src-main/contract/model/model.ts';
import { aMillion, payable, priceUnit, readPrice } from '../../src-main/common/price.ts';

describe('a price', () => {
  // Holds: models-2-price-prompt, models-2-price-completion
  it.each<[Json, 'amount' | 'free' | 'varies' | 'negative', string, string]>([
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
    ['-1', 'varies', '-1', '-1000000'],
    [-1, 'varies', '-1', '-1000000'],
    ['-1.0', 'varies', '-1', '-1000000'],
    ['-2', 'negative', '-2', '-2000000'],
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
    ['image', 'unstated'],
    ['request', 'request'],
    ['web_search', 'search'],
    ['discount', 'share'],
    ['future_price', 'unknown'],
    ['constructor', 'unknown'],
  ])('called %s is per %s', (name, unit) => {
    expect(priceUnit(name)).toBe(unit);
  });
});
