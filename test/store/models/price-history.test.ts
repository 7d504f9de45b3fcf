import { describe, expect, it } from 'vitest';
import type { FieldHistory, ModelRecord } from '../../../src-main/contract/model/model.ts';
import { model, openModelStore, OWNER, priced, type ModelStore } from './model-records.ts';

const DAY_MS = 24 * 3_600_000;

/** The histories of a model, with times in hours since its first model list. */
function historiesIn({ queries, hourOf }: ModelStore & { hourOf(at: string): number }): Record<string, unknown> {
  const { histories } = queries.models.get(OWNER, 'models', 'a/one');
  const inHours = (steps: FieldHistory['steps']) =>
    steps.map(({ at, ...step }) => ('value' in step ? [hourOf(at), step.value] : [hourOf(at)]));
  return Object.fromEntries(histories.map(({ field, steps }) => [field, inHours(steps)]));
}

function storeWith(...modelLists: ModelRecord[][]): ModelStore & { hourOf(at: string): number } {
  const opened = openModelStore();
  const start = opened.clock.now() + 3_600_000;
  for (const records of modelLists) opened.replace(records);
  return { ...opened, hourOf: (at) => (Date.parse(at) - start) / 3_600_000 };
}

describe('a history', () => {
  it('does not exist if nothing ever changed', () => {
    expect(
      historiesIn(storeWith([priced('a/one', { prompt: '1' })], [model('a/two'), priced('a/one', { prompt: '1.0' })])),
    ).toEqual({});
  });

  it('runs from first sight through every change, for changed fields only', () => {
    const opened = storeWith(
      [priced('a/one', { prompt: '1', completion: '2' })],
      [priced('a/one', { prompt: '3', completion: '2' })],
      [model('a/one', { pricing: { prompt: '3', completion: '2' }, context_length: 1_000_000 })],
      [model('a/one', { pricing: { prompt: '0.5', completion: '2' }, context_length: 1_000_000 })],
    );
    expect(historiesIn(opened)).toEqual({
      prompt: [
        [0, '1'],
        [1, '3'],
        [3, '0.5'],
      ],
      context_length: [
        [0, 128_000],
        [2, 1_000_000],
      ],
    });
  });

  it('has no value while a price is missing; null is a value', () => {
    const opened = storeWith(
      [priced('a/one', {})],
      [priced('a/one', { image: '1' })],
      [priced('a/one', { image: null })],
      [priced('a/one', {})],
    );
    expect(historiesIn(opened)).toEqual({ image: [[0], [1, '1'], [2, null], [3]] });
  });

  it('has a gap while the model is removed, and keeps its first time', () => {
    const { context_length: context } = model('a/one');
    const opened = storeWith(
      [priced('a/one', { prompt: '1' })],
      [],
      [model('a/two')],
      [priced('a/one', { prompt: '2' })],
    );
    expect(historiesIn(opened)).toEqual({
      prompt: [[0, '1'], [1], [3, '2']],
      context_length: [[0, context], [1], [3, context]],
    });
    expect(opened.hourOf(opened.queries.models.get(OWNER, 'models', 'a/one').firstSeenAt)).toBe(0);
  });

  it('begins with the log, once its older part is deleted', () => {
    const opened = storeWith([priced('a/one', { prompt: '1' })], [priced('a/one', { prompt: '2' })]);
    opened.clock.advance(800 * DAY_MS);
    opened.replace([priced('a/one', { prompt: '3' })]);
    const [history] = opened.queries.models.get(OWNER, 'models', 'a/one').histories;
    const at = (ms: number) => new Date(ms).toISOString();
    expect(history?.steps).toEqual([
      { at: at(opened.clock.now() - 730 * DAY_MS), value: '2' },
      { at: at(opened.clock.now()), value: '3' },
    ]);
  });

  it('is separate for each tier', () => {
    const LONG = { min_prompt_tokens: 32_000 };
    const one = (prompt: string, long?: string) =>
      priced('a/one', { prompt, ...(long !== undefined && { overrides: [{ ...LONG, prompt: long }] }) });
    const opened = storeWith([one('1')], [one('1', '2')], [], [one('1', '3')]);
    const { histories } = opened.queries.models.get(OWNER, 'models', 'a/one');
    expect(histories.map(({ field, tier }) => [field, tier])).toEqual([
      ['prompt', LONG],
      ['prompt', undefined],
      ['context_length', undefined],
    ]);
    const steps = histories.map((history) => history.steps.map(({ at, value }) => [opened.hourOf(at), value]));
    expect(steps[0]).toEqual([
      [0, undefined],
      [1, '2'],
      [2, undefined],
      [3, '3'],
    ]);
    expect(steps[1]).toEqual([
      [0, '1'],
      [2, undefined],
      [3, '1'],
    ]);
  });
});
