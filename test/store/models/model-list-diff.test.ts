import { describe, expect, it } from 'vitest';
import type { Json, ModelChange, ModelRecord } from '../../../src-main/contract/model/model.ts';
import { modelChanges } from '../../../src-main/store/models/model-list-diff.ts';
import { model, priced } from './model-records.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

function changesBetween(before: ModelRecord, after: ModelRecord): Omit<ModelChange, 'model' | 'name'>[] {
  return modelChanges([before], [after], NOW).map(({ model: _, name: __, ...change }) => change);
}

function changesOf(before: Record<string, Json>, after: Record<string, Json>): Omit<ModelChange, 'model' | 'name'>[] {
  return changesBetween(model('a/one', before), model('a/one', after));
}

describe('two model lists', () => {
  it('differ by added models, in order, then by removed ones', () => {
    const changes = modelChanges(
      [model('a/old'), model('a/one')],
      [model('a/new'), model('a/one', { name: 'Uno' })],
      NOW,
    );
    expect(changes).toMatchObject([
      { model: 'a/new', name: 'Model a/new', field: 'added' },
      { model: 'a/one', name: 'Uno', field: 'name', before: 'Model a/one', after: 'Uno' },
      { model: 'a/old', name: 'Model a/old', field: 'removed' },
    ]);
  });

  it('keep the watched fields of added and removed models, as received', () => {
    const { name, context_length, pricing } = model('a/one');
    const [added, removed] = modelChanges(
      [{ id: 'b/two' }],
      [model('a/one', { description: 'long', created: 7 })],
      NOW,
    );
    expect(added?.after).toMatchObject({ name, context_length, pricing });
    expect(added?.after).not.toHaveProperty('description');
    expect(added).not.toHaveProperty('before');
    expect(removed).toEqual({ model: 'b/two', name: 'b/two', field: 'removed', before: {} });
  });
});

describe('a price', () => {
  const differs = (before: Record<string, Json>, after: Record<string, Json>) =>
    changesBetween(priced('a/one', before), priced('a/one', after));

  it.each<[string, Json, Json]>([
    ['with more zeros', '0.10', '0.1'],
    ['with an exponent', '0.0000001', '1e-7'],
    ['zero, in other digits', '0', '0.000'],
  ])('is the same %s', (_, before, after) => {
    expect(differs({ prompt: before }, { prompt: after })).toEqual([]);
  });

  it.each<[string, Json, Json]>([
    ['by one digit far after the point', '0.000000000001', '0.0000000000010000000001'],
    ['from zero to an amount', '0', '0.1'],
    ['from zero to null', '0', null],
    ['from null to an empty text', null, ''],
    ['in its sign', '1', '-1'],
  ])('differs %s', (_, before, after) => {
    expect(differs({ prompt: before }, { prompt: after })).toEqual([
      { field: 'price', price: 'prompt', before, after },
    ]);
  });

  it('that is added or removed has no value while it is missing; null is a value', () => {
    expect(differs({ prompt: '1' }, { image: null })).toEqual([
      { field: 'price', price: 'prompt', before: '1' },
      { field: 'price', price: 'image', after: null },
    ]);
  });

  it('of any name is reported by name, each separately', () => {
    const names = ['web_search', 'a price of tomorrow', 'constructor', '__proto__'];
    const prices = (value: string) =>
      JSON.parse(`{${names.map((name) => `"${name}":"${value}"`).join()}}`) as Record<string, Json>;
    expect(differs(prices('1'), prices('2'))).toEqual(
      names.map((price) => ({ field: 'price', price, before: '1', after: '2' })),
    );
    expect(differs({}, prices('2')).map(({ price, before }) => [price, before])).toEqual(
      names.map((name) => [name, undefined]),
    );
  });

  it.each<[string, Json]>([
    ['a text', 'free'],
    ['a list', ['1']],
    ['null', null],
  ])('is missing if pricing is %s', (_, pricing) => {
    expect(changesOf({ pricing: { prompt: '1' } }, { pricing })).toEqual([
      { field: 'price', price: 'prompt', before: '1' },
    ]);
  });
});

describe('a price tier', () => {
  const LONG = { min_prompt_tokens: 32_000 };
  const tiered = (...overrides: Json[]) => priced('a/one', { prompt: '1', overrides });
  const tierChanges = (before: Json[], after: Json[]) => changesBetween(tiered(...before), tiered(...after));

  it('is compared price by price with the tier of equal conditions', () => {
    const before = [
      { ...LONG, prompt: '2', completion: '3' },
      { utc_start: '16:30', utc_end: '00:30', prompt: '0.5' },
    ];
    const after = [
      { utc_end: '00:30', utc_start: '16:30', prompt: '0.50' },
      { prompt: '2.5', ...LONG, completion: '3.0' },
    ];
    expect(tierChanges(before, after)).toEqual([
      { field: 'price', price: 'prompt', tier: LONG, before: '2', after: '2.5' },
    ]);
  });

  it('that is added or removed has each of its prices as added or removed', () => {
    expect(tierChanges([], [{ ...LONG, prompt: '2', completion: '3' }])).toEqual([
      { field: 'price', price: 'prompt', tier: LONG, after: '2' },
      { field: 'price', price: 'completion', tier: LONG, after: '3' },
    ]);
    expect(tierChanges([{ ...LONG, prompt: '2' }], [{ min_prompt_tokens: 64_000, prompt: '2' }])).toEqual([
      { field: 'price', price: 'prompt', tier: { min_prompt_tokens: 64_000 }, after: '2' },
      { field: 'price', price: 'prompt', tier: LONG, before: '2' },
    ]);
  });

  it('may have conditions that no document defines, and equal ones twice', () => {
    const eu = { region: 'eu', utc_days: ['monday'] };
    expect(tierChanges([{ ...eu, prompt: '2' }], [{ ...eu, prompt: '3' }])).toEqual([
      { field: 'price', price: 'prompt', tier: eu, before: '2', after: '3' },
    ]);
    expect(
      tierChanges(
        [
          { ...LONG, prompt: '2' },
          { ...LONG, prompt: '4' },
        ],
        [
          { ...LONG, prompt: '2' },
          { ...LONG, prompt: '5' },
        ],
      ),
    ).toEqual([{ field: 'price', price: 'prompt', tier: LONG, before: '4', after: '5' }]);
  });
});

describe('a field', () => {
  it('is compared if it is one of those that readers watch, and reported as received', () => {
    const provider = { max_completion_tokens: 4_096, is_moderated: false };
    const after = {
      context_length: '8k',
      top_provider: provider,
      knowledge_cutoff: '2025-06',
      supported_parameters: null,
    };
    expect(changesOf({}, { ...after, description: 'Other words', created: 9 })).toEqual([
      { field: 'context', before: 128_000, after: '8k' },
      { field: 'maxCompletion', before: 16_384, after: 4_096 },
      { field: 'parameters', before: ['temperature', 'tools'], after: null },
      { field: 'moderation', before: true, after: false },
      { field: 'cutoff', before: null, after: '2025-06' },
    ]);
  });

  it.each([
    [null, '2098-12-31', []],
    ['2098-12-31', '2099-12-31', []],
    ['2098-12-31', '2027-01-31', [{ field: 'expiry', before: null, after: '2027-01-31' }]],
    ['2027-01-31', '2098-12-31', [{ field: 'expiry', before: '2027-01-31', after: null }]],
  ])('has no expiry beyond ten years: %s to %s', (before, after, changes) => {
    expect(changesOf({ expiration_date: before }, { expiration_date: after })).toEqual(changes);
  });
});

describe('a modality', () => {
  const architecture = (inputs: string[], outputs: string[]): Record<string, Json> => ({
    architecture: {
      input_modalities: inputs,
      output_modalities: outputs,
      modality: `${inputs.join('+')}->${outputs.join('+')}`,
    },
  });

  it('is one change on both sides, is read from its text without lists, and has no order', () => {
    const text = (modality: string): Record<string, Json> => ({ architecture: { modality } });
    expect(changesOf(text('text->text'), architecture(['text'], ['text']))).toEqual([]);
    expect(changesOf(architecture(['text', 'image'], ['text']), architecture(['image', 'text'], ['text']))).toEqual([]);
    expect(changesOf(architecture(['text'], ['text']), architecture(['text', 'audio'], ['audio']))).toEqual([
      { field: 'modality', before: 'text->text', after: 'text+audio->audio' },
    ]);
  });
});

describe('supported parameters', () => {
  it("are a set: order and repetition don't matter", () => {
    expect(changesOf({ supported_parameters: ['a', 'b'] }, { supported_parameters: ['b', 'a', 'b'] })).toEqual([]);
  });

  it('that are not all strings are compared as a list, however long it is', () => {
    const strange = (): Json[] => Array.from({ length: 100_000 }, (_, at) => ({ at }));
    const fieldsOf = (after: Json[]): string[] =>
      changesOf({ supported_parameters: strange() }, { supported_parameters: after }).map(({ field }) => field);
    expect(fieldsOf(strange())).toEqual([]);
    expect(fieldsOf(strange().toReversed())).toEqual(['parameters']);
  });
});
