import { describe, expect, it } from 'vitest';
import type { ChangedField, Json, ModelChange, ModelRefresh } from '../../../../src-main/contract/model/model.ts';
import { changesByDay, changeText } from '../../../../src-renderer/features/models/model-changes.ts';

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

/** Two amounts without a unit, and the percentage between them. */
function wrote(before: string, after: string, by: string | null): object {
  return { values: { before, after, unit: null }, by };
}

const price = (before?: Json, after?: Json, kind = 'prompt'): ModelChange => change('price', before, after, kind);
const TIER = { min_prompt_tokens: 32_000 };

describe('a price that changed', () => {
  it.each<[what: string, change: ModelChange, text: object]>([
    ['has both values and a percentage', price('0.00000010', '0.00000015'), wrote('$0.10', '$0.15', '+50%')],
    ['has a percentage of one digit', price('0.0000003', '0.0000001'), { by: '-66.7%' }],
    ['has none if it was free', price('0', '0.000002'), wrote('Free', '$2.00', null)],
    ['has one if it is free now', price('0.000002', '0'), wrote('$2.00', 'Free', '-100%')],
    ['may be added', price(undefined, '0.000002'), { values: null, added: ['$2.00'], removed: [], by: null }],
    ['may be removed', price('0.000002', null), { values: null, added: [], removed: ['$2.00'], by: null }],
    [
      'may be that of a tier',
      { ...price('0.0000001', '0.0000002'), tier: TIER },
      { what: 'Input, above 32,000 input tokens', ...wrote('$0.10', '$0.20', '+100%') },
    ],
    ['may be a discount', price(0.25, 0.5, 'discount'), { values: { before: '25%', after: '50%' }, by: null }],
  ])('%s', (_, given, text) => {
    expect(changeText(given, ENGLISH)).toMatchObject(text);
  });
});

describe('another change', () => {
  it.each<[what: string, change: ModelChange, text: object]>([
    [
      'of a context has both values and a percentage',
      change('context', 131_072, 1_048_576),
      { values: { before: '131,072', after: '1,048,576', unit: 'tokens' }, by: '+700%' },
    ],
    ['of a length may remove it', change('maxCompletion', 8192), { values: null, removed: ['8,192 tokens'], by: null }],
    [
      'of parameters lists the added and removed ones',
      change('parameters', ['tools', 'seed'], ['tools', 'top_p', 'stop']),
      { values: null, added: ['top_p', 'stop'], removed: ['seed'] },
    ],
    [
      'of parameters may add the first ones',
      change('parameters', undefined, ['tools']),
      { added: ['tools'], removed: [] },
    ],
    [
      'of parameters may be from another type',
      change('parameters', 'all', ['tools']),
      { values: { before: 'all', after: 'tools' } },
    ],
    ['of a fact has words', change('moderation', false, true), { values: { before: 'No', after: 'Yes' } }],
    ['of a day may add it', change('expiry', null, '2027-01-31'), { values: null, added: ['31 Jan 2027'] }],
    [
      'of a name may be anything',
      change('name', '', { en: 'Aurora' }),
      { values: { before: 'None', after: 'en: Aurora' } },
    ],
    ['of the list itself has no values', change('added', undefined, { name: 'Aurora' }), { values: null, by: null }],
  ])('%s', (_, given, text) => {
    expect(changeText(given, ENGLISH)).toMatchObject(text);
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
