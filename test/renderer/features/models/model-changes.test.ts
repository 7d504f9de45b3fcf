import { describe, expect, it } from 'vitest';
import type { ChangedField, Json, ModelChange, ModelRefresh } from '../../../../src-main/contract/model/model.ts';
import { changesByDay, changeText } from '../../../../src-renderer/features/models/model-changes.ts';
import { inLocale } from '../../../support/locale.ts';

const ENGLISH = { locale: 'en', dateLocale: 'en-GB' };

function change(field: ChangedField, before?: Json, after?: Json, price?: string): ModelChange {
  return {
    model: 'northlight/aurora',
    name: 'Aurora',
    field,
    ...(price !== undefined && { price }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
}

const priceChange = (before?: Json, after?: Json, price = 'prompt') =>
  changeText(change('price', before, after, price), ENGLISH);

describe('a price that changed', () => {
  it('has both values and a percentage', () => {
    expect(priceChange('0.00000010', '0.00000015')).toMatchObject({
      what: 'Input',
      values: { before: '$0.10', after: '$0.15', unit: null },
      by: '+50%',
    });
  });

  it.each([
    ['0.0000001', '0.0000003', '+200%'],
    ['0.0000003', '0.0000001', '-66.7%'],
    ['0.000000000001', '0.000000000003', '+200%'],
    ['1e-7', '0.0000001001', '+0.1%'],
    ['0.001', '0.00100000001', '+0.000001%'],
  ] as const)('from %s to %s went by %s', (before, after, by) => {
    expect(priceChange(before, after)).toMatchObject({ by });
  });

  it('has no percentage if it was free', () => {
    expect(priceChange('0', '0.000002')).toMatchObject({
      values: { before: 'Free', after: '$2.00' },
      by: null,
    });
    expect(priceChange('0.000002', '0')).toMatchObject({ values: { after: 'Free' }, by: '-100%' });
  });

  it.each([
    ['-1', '0.000002', 'Varies'],
    ['-2', '0.000002', '-2 (negative)'],
    ['soon', '0.000002', '“soon”, not a price'],
    ['', '0.000002', 'no valid price'],
  ])('shows an old value that was no price: %j', (before, after, said) => {
    expect(priceChange(before, after)).toMatchObject({
      values: { before: said, after: '$2.00', unit: null },
      by: null,
    });
  });

  it.each([
    ['-1', 'Varies'],
    ['-2', '-2 (negative)'],
    ['', 'no valid price'],
    ['0', 'Free'],
  ])('shows a new value that is no amount: %j', (after, said) => {
    const values = { before: '$2.00', after: said, unit: null };
    expect(priceChange('0.000002', after)).toMatchObject({ values });
  });

  it('is added or removed if the other value is missing', () => {
    expect(priceChange(undefined, '0.000002')).toMatchObject({ values: null, added: ['$2.00'], removed: [], by: null });
    expect(priceChange('0.000002', null)).toMatchObject({ values: null, added: [], removed: ['$2.00'], by: null });
  });

  it('of a tier names the tier', () => {
    const tier = { min_prompt_tokens: 32_000 };
    expect(changeText({ ...change('price', '0.0000001', '0.0000002', 'prompt'), tier }, ENGLISH)).toMatchObject({
      what: 'Input, above 32,000 input tokens',
      values: { before: '$0.10', after: '$0.20', unit: null },
      by: '+100%',
    });
    const chinese = inLocale('zh-CN', () =>
      changeText({ ...change('price', '1', '2', 'prompt'), tier }, { locale: 'zh-CN', dateLocale: 'zh-CN' }),
    );
    expect(chinese.what).toBe('输入（输入超过 32,000 Token）');
  });

  it('has its unit in its name, unless it is the usual one', () => {
    expect(priceChange('0.01', '0.02', 'web_search')).toMatchObject({
      what: 'Web search (USD per search)',
      values: { before: '$0.01', after: '$0.02', unit: null },
      by: '+100%',
    });
    expect(priceChange('0.01', '0.02', 'per_moon')).toMatchObject({
      what: 'per_moon (unit unknown)',
      values: { before: '0.01', after: '0.02' },
      by: '+100%',
    });
    expect(priceChange(0.25, 0.5, 'discount')).toMatchObject({ values: { before: '25%', after: '50%' }, by: null });
  });
});

describe('other changes', () => {
  it('of a context have both values and a percentage', () => {
    expect(changeText(change('context', 131_072, 1_048_576), ENGLISH)).toMatchObject({
      values: { before: '131,072', after: '1,048,576', unit: 'tokens' },
      by: '+700%',
    });
    expect(changeText(change('maxCompletion', 8192), ENGLISH)).toMatchObject({
      values: null,
      removed: ['8,192 tokens'],
      by: null,
    });
  });

  it('of parameters list the added and removed ones', () => {
    expect(changeText(change('parameters', ['tools', 'seed'], ['tools', 'top_p', 'stop']), ENGLISH)).toMatchObject({
      values: null,
      added: ['top_p', 'stop'],
      removed: ['seed'],
    });
    expect(changeText(change('parameters', undefined, ['tools']), ENGLISH)).toMatchObject({
      added: ['tools'],
      removed: [],
    });
  });

  it('of other fields have both values, whatever they are', () => {
    expect(changeText(change('moderation', false, true), ENGLISH).values).toMatchObject({
      before: 'No',
      after: 'Yes',
    });
    expect(changeText(change('expiry', null, '2027-01-31'), ENGLISH)).toMatchObject({
      values: null,
      added: ['31 Jan 2027'],
    });
    expect(changeText(change('name', '', { en: 'Aurora' }), ENGLISH).values).toMatchObject({
      before: 'None',
      after: 'en: Aurora',
    });
    expect(changeText(change('parameters', 'all', ['tools']), ENGLISH).values).toMatchObject({
      before: 'all',
      after: 'tools',
    });
  });

  it('of the list itself have no values', () => {
    expect(changeText(change('added', undefined, { name: 'Aurora' }), ENGLISH)).toMatchObject({
      values: null,
      by: null,
    });
  });

  it('are translated into Chinese', () => {
    expect(
      inLocale('zh-CN', () =>
        changeText(change('price', '0.0000001', '0.00000015', 'completion'), { locale: 'zh-CN', dateLocale: 'zh-CN' }),
      ),
    ).toMatchObject({
      what: '输出',
      values: { before: '$0.10', after: '$0.15', unit: null },
      by: '+50%',
    });
  });
});

describe('the change log', () => {
  const EVERYTHING = { modelList: 'models', field: null, text: '' } as const;
  const refresh: ModelRefresh = {
    id: 1,
    modelList: 'models',
    at: '2026-11-20T08:00:00Z',
    otherKey: false,
    changes: [
      { model: 'a/1', name: 'One', field: 'price', price: 'prompt', before: '1', after: '2' },
      { model: 'a/2', name: 'Two', field: 'added' },
      { model: 'a/1', name: 'One', field: 'price', price: 'image', before: '1', after: '3' },
      { model: 'a/3', name: 'Three', field: 'removed' },
    ],
  };

  it('is grouped by kind, prices first', () => {
    const [shown] = changesByDay([refresh], EVERYTHING);
    expect(shown?.groups.map(({ field }) => field)).toEqual(['price', 'added', 'removed']);
    expect(shown?.groups[0]?.models).toMatchObject([
      { model: 'a/1', changes: [{ price: 'prompt' }, { price: 'image' }] },
    ]);
  });

  it('is grouped by day, and what came with another key is by itself', () => {
    const at = (hour: number, otherKey = false): ModelRefresh => ({
      ...refresh,
      at: new Date(2026, 10, 20, hour).toISOString(),
      otherKey,
    });
    const days = changesByDay([at(30), at(20), at(14, true), at(8)], EVERYTHING);
    expect(days.map(({ at, otherKey }) => [new Date(at).getHours(), otherKey])).toEqual([
      [6, false],
      [20, false],
      [14, true],
    ]);
    const [, today] = days;
    expect(today?.groups[0]?.models[0]?.changes).toHaveLength(4);
  });

  it('is filtered by kind, and by name or id', () => {
    const [prices] = changesByDay([refresh], { ...EVERYTHING, field: 'price' });
    expect(prices?.groups.map(({ models }) => models.flatMap(({ changes }) => changes).length)).toEqual([2]);
    expect(changesByDay([refresh], { ...EVERYTHING, text: ' THREE ' })[0]?.groups[0]?.field).toBe('removed');
    expect(changesByDay([refresh], { ...EVERYTHING, text: 'a/2' })[0]?.groups[0]?.field).toBe('added');
    expect(changesByDay([refresh], { ...EVERYTHING, modelList: 'embeddings' })).toEqual([]);
    expect(changesByDay([refresh], { ...EVERYTHING, field: 'context', text: '' })).toEqual([]);
  });
});
