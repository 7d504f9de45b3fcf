import { describe, expect, it } from 'vitest';
import { priceChangeNear } from '../../src-main/common/price-change.ts';
import type { Json, ModelChange, ModelRefresh } from '../../src-main/contract/model/model.ts';

const DAY = 86_400_000;
const NEWS = Date.parse('2026-11-23T21:00:00Z');

const price = (name: string, before: Json | undefined, after: Json | undefined, more = {}): ModelChange => ({
  ...{ model: 'a/b', name: 'B', field: 'price', price: name, ...more },
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

const refresh = (day: number, changes: ModelChange[], more: Partial<ModelRefresh> = {}): ModelRefresh => ({
  ...{ id: day, modelList: 'models', otherKey: false, changes },
  at: new Date(NEWS + day * DAY).toISOString(),
  ...more,
});

const NOW = { prompt: '0.00000012', completion: '0.00000048' };
const CUT = price('prompt', '0.00000025', '1.2e-7');

describe('the change of a price next to news', () => {
  it('has all prices before and after it, however they are written', () => {
    expect(priceChangeNear(NOW, [refresh(0, [CUT])], NEWS, 7 * DAY)).toEqual({
      at: new Date(NEWS).toISOString(),
      before: { ...NOW, prompt: '0.00000025' },
      after: NOW,
    });
  });

  it('is the nearest one, before or after the news, with the prices of that time', () => {
    const log = [
      refresh(3, [price('completion', '0.000001', '0.00000048')]),
      refresh(1, [price('prompt', '0.0000002', '0.00000012')]),
      refresh(-5, [price('prompt', '0.00000025', '0.0000002')]),
    ];
    const found = priceChangeNear(NOW, log, NEWS, 7 * DAY);
    expect([found?.before, found?.after]).toEqual([
      { prompt: '0.0000002', completion: '0.000001' },
      { prompt: '0.00000012', completion: '0.000001' },
    ]);
  });

  it('is none that is further away', () => {
    expect(priceChangeNear(NOW, [refresh(8, [CUT])], NEWS, 7 * DAY)).toBeNull();
    expect(priceChangeNear(NOW, [refresh(-8, [CUT])], NEWS, 7 * DAY)).toBeNull();
    expect(priceChangeNear(NOW, [], NEWS, 7 * DAY)).toBeNull();
  });

  it('leaves out a price that was not listed before, instead of taking one for it', () => {
    const found = priceChangeNear(NOW, [refresh(0, [price('completion', undefined, '0.00000048')])], NEWS, DAY);
    expect(found?.before).toEqual({ prompt: '0.00000012' });
  });

  it.each<[string, ModelRefresh[]]>([
    ['another key', [refresh(0, [CUT], { otherKey: true })]],
    ['a gap in the log', [refresh(0, [price('prompt', '0.00000025', '0.0000002')])]],
    ['prices of tiers', [refresh(0, [price('prompt', '1', '0.00000012', { tier: { min_prompt_tokens: 9 } })])]],
    ['a model that came back', [refresh(1, [{ model: 'a/b', name: 'B', field: 'added' }]), refresh(0, [CUT])]],
  ])('is never a guess: %s ends the way back', (_, log) => {
    expect(priceChangeNear(NOW, log, NEWS, 7 * DAY)).toBeNull();
  });
});
