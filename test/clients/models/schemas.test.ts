import { describe, expect, it } from 'vitest';
import { readModelsPage } from '../../../src-main/clients/models/schemas.ts';

const page = (...data: unknown[]) => readModelsPage(JSON.stringify({ data }));
const recordOf = (model: string) => readModelsPage(`{"data":[${model}]}`).records[0];

describe('a record of a model list', () => {
  it('needs only an id, and keeps all fields unchanged', () => {
    const odd = { id: 'x', name: 7, architecture: null, pricing: 'free', future: { a: [1, { b: null }] }, '': true };
    expect(page(odd)).toMatchObject({ records: [odd], listed: 1, next: null, totalCount: null });
  });

  it('names its known fields of another type, each once for a page', () => {
    const provider = { is_moderated: 'no', max_completion_tokens: '8192' };
    const odd = { id: 'odd', name: 7, created: '2025', context_length: '131072', architecture: ['text'] };
    const price = { prompt: true, image: null, completion: '0', overrides: [], future: {} };
    const { records, skipped } = page(
      { id: 'plain', name: ' ', description: '', expiration_date: null, supported_parameters: [] },
      { ...odd, pricing: 'free', top_provider: provider, supported_parameters: 'tools' },
      { id: 'odder', name: 8, pricing: price, architecture: { modality: 1 } },
    );
    expect(records).toHaveLength(3);
    expect(skipped.map(({ id, field }) => `${id}: ${field}`)).toEqual([
      'odd: name',
      'odd: created',
      'odd: architecture',
      'odd: top_provider.is_moderated',
      'odd: supported_parameters',
      'odd: pricing',
      'odder: architecture.modality',
      'odder: pricing.prompt',
    ]);
  });

  it.each<[unknown, string]>([
    [{ name: 'none' }, 'id is missing or not a string'],
    [{ id: '' }, 'id is empty'],
    [{ id: 'x'.repeat(513) }, 'id is longer than 512 characters'],
    [{ id: 'a\0b' }, 'id contains a NUL character'],
    [null, 'a record is null, not an object'],
    [['x'], 'a record is a list, not an object'],
  ])('is skipped with a reason if it is %j', (bad, reason) => {
    const { records, skipped, listed } = page({ id: 'good' }, bad, { id: 'better' });
    expect([records.map(({ id }) => id), skipped.map((left) => left.reason), listed]).toEqual([
      ['good', 'better'],
      [reason],
      3,
    ]);
  });

  it('keeps a word once that a list repeats, in its own fields and one level below', () => {
    const words = ['text', 'image', 'text'];
    const { records, skipped } = page({
      id: 'x',
      tools: words,
      architecture: { inputs: words, deep: { inputs: words } },
    });
    const once = ['text', 'image'];
    expect(records).toEqual([{ id: 'x', tools: once, architecture: { inputs: once, deep: { inputs: words } } }]);
    expect(skipped.map(({ reason }) => reason)).toEqual(['tools repeats a word', 'architecture.inputs repeats a word']);
  });

  it('drops deep nesting, lone surrogates and dangerous member names', () => {
    const deep = '['.repeat(500) + ']'.repeat(500);
    expect(recordOf(`{"id":"x","deep":${deep},"name":"a\\ud800","__proto__":{"a":1},"k":1}`)).toEqual({
      id: 'x',
      name: 'a\uFFFD',
      k: 1,
    });
    const numeric = `{"id":"x","pricing":{"prompt":1e-7,"a":"\\ud800","__proto__":1},"name":"\\udc00"}`;
    expect(recordOf(numeric)).toEqual({ id: 'x', name: '\uFFFD', pricing: { prompt: 1e-7, a: '\uFFFD' } });
    const long = `{"id":"x","pricing":{"prompt":0.10000000000000000001,"a":"\\ud800","__proto__":1},"name":"\\udc00"}`;
    expect(recordOf(long)).toEqual({
      id: 'x',
      name: '\uFFFD',
      pricing: { prompt: '0.10000000000000000001', a: '\uFFFD' },
    });
  });
});

describe('a price', () => {
  // Holds: models-2-price-prompt
  it.each([
    ['0.00000015', 1.5e-7],
    ['1e-7', 1e-7],
    ['0', 0],
    ['-1', -1],
    ['0.10000000000000000000', 0.1],
    ['0.10000000000000000001', '0.10000000000000000001'],
    ['1.00000000000000001e-7', '1.00000000000000001e-7'],
    ['9007199254740993', '9007199254740993'],
    ['1e999', '1e999'],
    ['"0.00000015"', '0.00000015'],
    ['null', null],
    ['{"usd":0.10,"tiers":[1.0,{"above":2.50}]}', { usd: 0.1, tiers: [1, { above: 2.5 }] }],
    ['[1.00000000000000001,32000]', ['1.00000000000000001', 32_000]],
  ])('%s becomes %j', (given, expected) => {
    expect(recordOf(`{"id":"x","pricing":{"prompt":${given}}}`)).toEqual({ id: 'x', pricing: { prompt: expected } });
  });

  it.each([
    ['1e400', '1e400'],
    [`1${'0'.repeat(309)}`, `1${'0'.repeat(309)}`],
    ['1e-400', 0],
  ])('or another number, %s, that is too large for a float becomes its digits', (given, expected) => {
    const record = { id: 'x', limit: expected, limits: [expected] };
    expect(recordOf(`{"id":"x","limit":${given},"limits":[ ${given} ]}`)).toEqual(record);
  });

  it('is exact in every record, and other numbers stay numbers', () => {
    const body = `{"data":[
      {"id":"a","pricing":{"prompt":"1"},"created":1760000000,"context_length":1.0},
      null,
      {"id":"b","pricing":{"prompt":2.5000000000000000001},"limits":{"pricing":{"x":1.0000000000000000001}},"created":1e3},
      {"id":"c","pricing":[1.0000000000000000001]},
      {"id":"d","pricing":4.0000000000000000001}
    ]}`;
    expect(readModelsPage(body).records).toEqual([
      { id: 'a', pricing: { prompt: '1' }, created: 1_760_000_000, context_length: 1 },
      { id: 'b', pricing: { prompt: '2.5000000000000000001' }, limits: { pricing: { x: 1 } }, created: 1000 },
      { id: 'c', pricing: ['1.0000000000000000001'] },
      { id: 'd', pricing: '4.0000000000000000001' },
    ]);
  });
});

describe('a response', () => {
  it.each([
    ['[]', 'it'],
    ['{}', 'data is missing or not a list'],
    ['{"data":{}}', 'data is missing or not a list'],
    ['{"data":[1,{"id":""}]}', 'none of its models is valid'],
    ['{"data":[', 'not valid JSON'],
  ])('of %s is rejected, with a message about a gateway', (body, message) => {
    expect(() => readModelsPage(body)).toThrow(
      expect.objectContaining({ code: 'invalid_body', message: expect.stringContaining(message) as string }) as Error,
    );
  });

  it('with endless nesting loses what is nested, and is rejected if it also needs exact numbers', () => {
    const bomb = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(() => readModelsPage(`{"data":[{"id":"x","pricing":{"prompt":[0.10000000000000000001,${bomb}]}}]}`)).toThrow(
      expect.objectContaining({ code: 'invalid_body' }) as Error,
    );
    expect(recordOf(`{"id":"x","deep":${bomb}}`)).toEqual({ id: 'x' });
    expect(recordOf(`{"id":"x","pricing":{"prompt":${bomb}}}`)).toEqual({ id: 'x' });
  });

  // Holds: models-2-paging-links, models-2-total
  it.each([
    [{ links: { next: '/p?x=1' }, total_count: 7 }, '/p?x=1', 7],
    [{ links: { next: null }, total_count: 0 }, null, 0],
    [{ links: { next: '' }, total_count: -1 }, null, null],
    [{ links: { next: 5 }, total_count: 1.5 }, null, null],
    [{ links: 'none', total_count: '7' }, null, null],
    [{}, null, null],
  ])('with next %j continues at %j and has the total %j', (more, next, totalCount) => {
    expect(readModelsPage(JSON.stringify({ data: [{ id: 'x' }], ...more }))).toMatchObject({ next, totalCount });
  });
});
