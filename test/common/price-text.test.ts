import Big from 'big.js';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src-main/contract/model/model.ts';
import { priceOf } from '../../src-main/common/price.ts';
import { orderedPrices, priceText, priceWithUnit, shownPrice, usdText } from '../../src-main/common/price-text.ts';

describe('a price', () => {
  it.each<[given: Json | undefined, shown: object]>([
    ['0.00000015', { kind: 'amount', text: '$0.15', unit: 'token' }],
    ['0.000000000001', { kind: 'amount', text: '$0.000001', unit: 'token' }],
    ['1e-7', { kind: 'amount', text: '$0.10', unit: 'token' }],
    ['0.000003', { kind: 'amount', text: '$3.00', unit: 'token' }],
    ['0.000000123456789012345', { kind: 'amount', text: '$0.123456789012345', unit: 'token' }],
    [0.000002, { kind: 'amount', text: '$2.00', unit: 'token' }],
    ['0', { kind: 'free' }],
    ['0.000', { kind: 'free' }],
    ['-1', { kind: 'varies' }],
    ['-2', { kind: 'negative', given: '-2' }],
    ['', { kind: 'unreadable', given: '' }],
    ['cheap', { kind: 'unreadable', given: 'cheap' }],
    [[], { kind: 'unreadable', given: '[]' }],
    [null, { kind: 'absent' }],
    [undefined, { kind: 'absent' }],
  ])('of a token given as %j is shown for a million of them, exactly', (given, shown) => {
    expect(shownPrice('prompt', given, 'en')).toEqual(shown);
  });

  it.each<[name: string, given: Json, shown: object]>([
    ['image', '0.0000012', { kind: 'amount', text: '$0.0000012', unit: 'unstated' }],
    ['image', '0', { kind: 'free' }],
    ['request', '0.005', { kind: 'amount', text: '$0.005', unit: 'request' }],
    ['web_search', '0.01', { kind: 'amount', text: '$0.01', unit: 'search' }],
    ['discount', 0.25, { kind: 'share', text: '25%', unit: 'share' }],
    ['discount', '0', { kind: 'share', text: '0%', unit: 'share' }],
    ['telepathy', '0.5', { kind: 'asGiven', text: '0.5', unit: 'unknown' }],
    ['telepathy', '0', { kind: 'asGiven', text: '0', unit: 'unknown' }],
  ])('of %s given as %j is shown in its own unit', (name, given, shown) => {
    expect(shownPrice(name, given, 'en')).toEqual(shown);
  });

  it('is never an inherited member of the object', () => {
    expect(priceOf({}, 'constructor')).toBeUndefined();
    expect(shownPrice('constructor', priceOf({}, 'constructor'), 'en')).toEqual({ kind: 'absent' });
  });

  it('keeps every digit of a large sum, in each language', () => {
    const sum = new Big('12345678901234567.000000000000000001');
    expect(usdText(sum, 'en')).toBe('$12,345,678,901,234,567.000000000000000001');
    expect(usdText(sum, 'zh-CN')).toBe('$12,345,678,901,234,567.000000000000000001');
  });
});

describe('the text of a price', () => {
  // Holds: models-2-price-prompt, models-2-price-image, models-2-price-request
  it.each([
    ['prompt', '0.00000015', 'amount', '$0.15', 'per 1M tokens'],
    ['prompt', '0.000000000001', 'amount', '$0.000001', 'per 1M tokens'],
    ['prompt', '1e-7', 'amount', '$0.10', 'per 1M tokens'],
    ['request', '0.005', 'amount', '$0.005', 'per request'],
    ['image', '0.0000012', 'amount', '$0.0000012', null],
    ['image', '0', 'free', 'Free', null],
    ['discount', 0.25, 'amount', '25%', 'off'],
    ['per_moon', '0.5', 'amount', '0.5', null],
    ['prompt', '0', 'free', 'Free', null],
    ['prompt', undefined, 'absent', '—', null],
    ['prompt', null, 'absent', '—', null],
    ['prompt', '-1', 'varies', 'Varies', null],
    ['prompt', '-2', 'negative', '-2 (negative)', null],
    ['prompt', '', 'unreadable', 'empty (invalid)', null],
    ['prompt', 'on request', 'unreadable', '“on request” (invalid)', null],
  ] as const)('%s of %j is %s', (name, given, kind, text, unit) => {
    expect(priceText(name, given, 'en')).toMatchObject({ kind, text, unit });
  });

  it('is told with its unit, and with a word about a missing one', () => {
    expect(priceWithUnit('prompt', '0.000003', 'en')).toBe('$3.00 per 1M tokens');
    expect(priceWithUnit('image', '0.01', 'en')).toBe('$0.01 (no unit given)');
    expect(priceWithUnit('prompt', '0', 'en')).toBe('Free');
  });

  it('lists documented prices first, in the order of the page', () => {
    expect(orderedPrices(['zeta', 'image', 'prompt', 'alpha'])).toEqual(['prompt', 'image', 'zeta', 'alpha']);
  });
});
