import { describe, expect, it } from 'vitest';
import type { Json } from '../../src-main/contract/model/model.ts';
import { tierText } from '../../src-main/common/price-text.ts';
import { allPriceNames, basePrices, priceTiers, tiersByKey, tiersOf } from '../../src-main/common/price.ts';
import { inLocale } from '../support/locale.ts';

const LONG = { min_prompt_tokens: 32_000, prompt: '0.0000001', completion: '0.0000004' };
const NIGHT = { utc_start: '16:30', utc_end: '00:30', prompt: '0.00000005' };

const conditionsOf = (entry: Json) => priceTiers({ prompt: '1', overrides: [entry] })[0]?.conditions;

describe('price tiers', () => {
  it('are read in order, with their conditions and prices as received', () => {
    const pricing = { prompt: '0.00000005', completion: '0.0000002', overrides: [LONG, NIGHT] };
    expect(priceTiers(pricing)).toEqual([
      {
        conditions: [{ kind: 'tokens', above: 32_000 }],
        given: { min_prompt_tokens: 32_000 },
        prices: { prompt: '0.0000001', completion: '0.0000004' },
      },
      {
        conditions: [{ kind: 'hours', from: '16:30', to: '00:30' }],
        given: { utc_start: '16:30', utc_end: '00:30' },
        prices: { prompt: '0.00000005' },
      },
    ]);
    expect(basePrices(pricing)).toEqual({ prompt: '0.00000005', completion: '0.0000002' });
    expect(tiersOf(pricing, 'completion').map(({ given }) => given)).toEqual([{ min_prompt_tokens: 32_000 }]);
  });

  it.each<[Json, Json]>([
    [{ region: 'eu', prompt: '1' }, [{ kind: 'other', name: 'region', given: 'eu' }]],
    [
      { min_completion_tokens: 9, min_prompt_tokens: 7 },
      [
        { kind: 'other', name: 'min_completion_tokens', given: 9 },
        { kind: 'tokens', above: 7 },
      ],
    ],
    [{ min_prompt_tokens: '7' }, [{ kind: 'other', name: 'min_prompt_tokens', given: '7' }]],
    [{ min_prompt_tokens: -7 }, [{ kind: 'other', name: 'min_prompt_tokens', given: -7 }]],
    [{ utc_start: '16:30' }, [{ kind: 'other', name: 'utc_start', given: '16:30' }]],
    [
      { utc_start: '25:00', utc_end: '01:00' },
      [
        { kind: 'other', name: 'utc_start', given: '25:00' },
        { kind: 'other', name: 'utc_end', given: '01:00' },
      ],
    ],
    [{ utc_start: 30, utc_end: 1630 }, [{ kind: 'hours', from: '00:30', to: '16:30' }]],
    ['cheaper at night', [{ kind: 'other', name: '', given: 'cheaper at night' }]],
    [{ prompt: '1' }, []],
  ])('keep a condition that nobody documented as received: %j', (entry, conditions) => {
    expect(conditionsOf(entry)).toEqual(conditions);
  });

  it('have prices only of documented names and of those with a base price', () => {
    const [tier] = priceTiers({ moon: '1', overrides: [{ min_prompt_tokens: 1, moon: '2', sun: '3', audio: '4' }] });
    expect(tier?.prices).toEqual({ moon: '2', audio: '4' });
    expect(tier?.given).toEqual({ min_prompt_tokens: 1, sun: '3' });
  });

  it.each<[Json, string[]]>([
    ['cheap', ['prompt', 'overrides']],
    [{ prompt: '1' }, ['prompt', 'overrides']],
    [null, ['prompt']],
    [[], ['prompt']],
    [[LONG], ['prompt', 'completion']],
  ])('given as %j leave these names of prices: %j', (overrides, names) => {
    expect(allPriceNames({ prompt: '1', overrides })).toEqual(names);
    expect(priceTiers({ prompt: '1', overrides })).toHaveLength(Array.isArray(overrides) ? overrides.length : 0);
  });

  it('are told apart by their conditions in any order, and by number if those are equal', () => {
    const keys = (...overrides: Json[]) => [...tiersByKey({ overrides }).keys()];
    expect(keys({ a: 1, b: 2, prompt: '1' })).toEqual(keys({ b: 2, a: 1, prompt: '2' }));
    expect(new Set(keys(LONG, NIGHT, LONG, LONG)).size).toBe(4);
    expect(keys(LONG, NIGHT)).toEqual(keys(LONG, NIGHT, LONG).slice(0, 2));
  });

  it.each<[Json, string, string]>([
    [{ min_prompt_tokens: 32_000 }, 'above 32,000 input tokens', '输入超过 32,000 Token'],
    [{ utc_start: '16:30', utc_end: '00:30' }, '16:30 to 00:30 UTC', 'UTC 16:30 至 00:30'],
    [{ utc_days: ['monday'] }, 'utc_days: ["monday"]', 'utc_days: ["monday"]'],
    [{ region: 'e\nu' }, 'region: e u', 'region: e u'],
    ['at night', 'at night', 'at night'],
    [{}, 'always', '始终'],
    [{ min_prompt_tokens: 5, region: 'eu' }, 'above 5 input tokens, region: eu', '输入超过 5 Token, region: eu'],
  ])('with %j are written as %s', (given, en, zh) => {
    expect(tierText(given, 'en')).toBe(en);
    expect(inLocale('zh-CN', () => tierText(given, 'zh-CN'))).toBe(zh);
  });
});
