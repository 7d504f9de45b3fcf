import { describe, expect, it } from 'vitest';
import type { Json, Pricing, Workload } from '../../src-main/contract/model/model.ts';
import { costVaries, isFree, workloadCost } from '../../src-main/common/model-cost.ts';

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
    [true, { prompt: '0', overrides: [] }],
    [true, { prompt: '0', overrides: [{ min_prompt_tokens: 1000, completion: '0' }] }],
    [false, { prompt: '0', overrides: [{ min_prompt_tokens: 1000, completion: '0.1' }] }],
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

  it('is known to vary if a price that it needs does', () => {
    expect(costVaries({ prompt: '-1', completion: '-1' })).toBe(true);
    expect(costVaries({ ...prices, image: '-1' })).toBe(false);
    expect(workloadCost({ prompt: '-1', completion: '-1' }, workload())).toBeNull();
  });

  describe('with price tiers', () => {
    const tier = (above: number, prompt: string, completion: string) => ({
      min_prompt_tokens: above,
      prompt,
      completion,
    });
    const tiered: Pricing = {
      ...prices,
      input_cache_read: '0.0000005',
      overrides: [tier(32_000, '0.000002', '0.00001'), tier(128_000, '0.000004', '0.00002')],
    };
    const costOf = (tokensIn: number, pricing: Pricing = tiered, patch: Partial<Workload> = {}) => {
      const cost = workloadCost(pricing, workload({ tokensIn, tokensOut: 100, requestsAMonth: 1, ...patch }));
      return cost && { usd: cost.usd.toFixed(), tiers: cost.tiers.map(({ given }) => given) };
    };

    it.each<[number, string, number | null]>([
      [31_999, '0.032499', null],
      [32_000, '0.0325', null],
      [32_001, '0.065002', 32_000],
      [50_000, '0.101', 32_000],
      [128_000, '0.257', 32_000],
      [200_000, '0.802', 128_000],
    ])('uses the prices for %d input tokens: $%s', (tokensIn, usd, above) => {
      expect(costOf(tokensIn)).toEqual({ usd, tiers: above === null ? [] : [{ min_prompt_tokens: above }] });
    });

    it('uses the base price of what a tier leaves out, and the last of several tiers that have a price', () => {
      const some: Pricing = { ...prices, overrides: [tier(0, '0.1', '1'), { min_prompt_tokens: 10, prompt: '0.2' }] };
      expect(costOf(100, some)).toEqual({ usd: '120', tiers: [{ min_prompt_tokens: 0 }, { min_prompt_tokens: 10 }] });
      expect(costOf(5, some)).toEqual({ usd: '100.5', tiers: [{ min_prompt_tokens: 0 }] });
      const blank: Pricing = { prompt: '1', completion: '1', overrides: [{ min_prompt_tokens: 0, prompt: null }] };
      expect(costOf(100, blank)?.usd).toBe('200');
    });

    it.each([
      ['descending', [128_000, 32_000]],
      ['unordered', [32_000, 128_000, 8_000]],
    ])('takes the tier with the highest number of tokens that applies, in %s order too', (_, order) => {
      const overrides = order.map((above) => tier(above, String(above), '0'));
      expect(costOf(200_000, { ...prices, overrides })).toEqual({
        usd: String(200_000 * 128_000),
        tiers: [{ min_prompt_tokens: 128_000 }],
      });
      expect(costOf(100_000, { ...prices, overrides })?.usd).toBe(String(100_000 * 32_000));
    });

    it('takes the last of several tiers for the same number of tokens', () => {
      const overrides = [tier(10, '1', '0'), tier(10, '2', '0')];
      expect(costOf(100, { ...prices, overrides })?.usd).toBe('200');
    });

    it('does not name a tier that only has null prices', () => {
      const some: Pricing = { ...prices, overrides: [tier(0, '0.1', '1'), { min_prompt_tokens: 10, prompt: null }] };
      expect(costOf(100, some)).toEqual({ usd: '110', tiers: [{ min_prompt_tokens: 0 }] });
    });

    it('counts all input tokens, cached ones too, for the tier', () => {
      const cached: Pricing = { ...tiered, overrides: [{ min_prompt_tokens: 32_000, input_cache_read: '0' }] };
      expect(costOf(40_000, cached, { tokensCached: 39_000 })?.usd).toBe('0.0015');
      expect(costOf(30_000, cached, { tokensCached: 29_000 })?.usd).toBe('0.016');
    });

    it.each<[string, Json]>([
      ['of the day', { utc_start: '16:30', utc_end: '00:30' }],
      ['that is not documented', { utc_days: ['monday'] }],
      ['that has another type than documented', { min_prompt_tokens: '10' }],
    ])('says what it costs under a condition %s, and counts the base price', (_, given) => {
      const cheap: Pricing = { ...prices, overrides: [{ ...(given as object), prompt: '0.0000005' }] };
      const cost = workloadCost(cheap, workload());
      expect(cost?.usd.toFixed()).toBe('0.06');
      expect(cost?.tiers).toEqual([]);
      expect(cost?.otherwise.map(({ tier: { given: when }, usd }) => [when, usd?.toFixed()])).toEqual([
        [given, '0.045'],
      ]);
    });

    it('does not mention tiers that make no difference', () => {
      const day = { utc_start: '16:30', utc_end: '00:30' };
      const same: Pricing = {
        ...prices,
        overrides: [
          { ...day, image: '1' },
          { ...day, min_prompt_tokens: 5000, prompt: '1' },
        ],
      };
      expect(workloadCost(same, workload())?.otherwise).toEqual([]);
    });

    it('is unknown if the price of its tier is', () => {
      expect(costOf(50_000, { ...prices, overrides: [tier(32_000, 'ask us', '1')] })).toBeNull();
      expect(costOf(100, { ...prices, overrides: [tier(32_000, 'ask us', '1')] })?.usd).toBe('0.0006');
    });
  });
});
