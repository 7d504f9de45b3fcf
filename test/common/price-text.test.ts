import Big from 'big.js';
import { describe, expect, it } from 'vitest';
import type { Json, Pricing } from '../../src-main/contract/model/model.ts';
import { priceOf } from '../../src-main/common/price.ts';
import {
  isComparable,
  orderedPrices,
  priceLabel,
  priceText,
  priceWithUnit,
  shownPrice,
  usdText,
} from '../../src-main/common/price-text.ts';

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
    ['prompt', '0.00000015', 'amount', '$0.15'],
    ['prompt', '0.000000000001', 'amount', '$0.000001'],
    ['prompt', '1e-7', 'amount', '$0.10'],
    ['request', '0.005', 'amount', '$0.005'],
    ['image', '0.0000012', 'amount', '$0.0000012'],
    ['image', '0', 'free', 'Free'],
    ['discount', 0.25, 'amount', '25%'],
    ['per_moon', '0.5', 'amount', '0.5'],
    ['prompt', '0', 'free', 'Free'],
    ['prompt', undefined, 'absent', '—'],
    ['prompt', null, 'absent', '—'],
    ['prompt', '-1', 'varies', 'Varies'],
    ['prompt', '-2', 'negative', '-2 (negative)'],
    ['prompt', '', 'unreadable', 'no valid price'],
    ['prompt', 'on request', 'unreadable', '“on request”, not a price'],
  ] as const)('%s of %j is %s', (name, given, kind, text) => {
    expect(priceText(name, given, 'en')).toMatchObject({ kind, text });
  });

  it.each([
    ['prompt', '0.000003', '$3.00 (USD per million tokens)', 'Input'],
    ['web_search', '0.01', '$0.01 (USD per search)', 'Web search (USD per search)'],
    ['image', '0.01', '$0.01 (USD)', 'Image (USD)'],
    ['per_moon', '0.5', '0.5 (unit unknown)', 'per_moon (unit unknown)'],
    ['discount', '0.25', '25%', 'Discount'],
    ['prompt', '0', 'Free', 'Input'],
  ] as const)(
    '%s of %s has its unit alone, and in its name if it is not the usual one',
    (name, given, alone, label) => {
      expect(priceWithUnit(name, given, 'en')).toBe(alone);
      expect(priceLabel(name)).toBe(label);
    },
  );

  it.each([
    ['prompt', {}, true],
    ['image', { image: '0.01' }, false],
    ['per_moon', { per_moon: '1' }, false],
    ['discount', { discount: '0.2' }, true],
    ['discount', { discount: '0' }, false],
    ['discount', {}, false],
    ['discount', { discount: '0', overrides: [{ region: 'eu', discount: '0.2' }] }, true],
  ] as const)('%s of %j is comparable: %s', (name, pricing, comparable) => {
    expect(isComparable(name, pricing as Pricing)).toBe(comparable);
  });

  it('lists documented prices first, in the order of the page', () => {
    expect(orderedPrices(['zeta', 'image', 'prompt', 'alpha'])).toEqual(['prompt', 'image', 'zeta', 'alpha']);
  });
});
