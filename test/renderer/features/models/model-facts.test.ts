import { describe, expect, it } from 'vitest';
import { m } from '../../../../src-main/common/i18n/messages.ts';
import type { ModelRecord } from '../../../../src-main/contract/model/model.ts';
import { compareRows } from '../../../../src-renderer/features/models/compare-rows.ts';
import {
  costText,
  dayText,
  detailsAddress,
  expiryState,
  historySteps,
  huggingFaceAddress,
  restOfRecord,
} from '../../../../src-renderer/features/models/model-facts.ts';
import { modelMarkdown } from '../../../../src-renderer/features/models/model-export.ts';
import { pricePoints } from '../../../../src-renderer/features/models/price-points.ts';
import { madeUpModel } from '../../support/made-up-models.ts';

const WRITING = { locale: 'en', dateLocale: 'en-GB' };
const NOW = Date.parse('2026-11-20T12:00:00Z');

const model = (record: ModelRecord, changes = {}) => madeUpModel('models', record, changes);
const priced = (id: string, prompt: unknown, context_length: unknown = 8192) =>
  model({ id, context_length, pricing: prompt === undefined ? {} : { prompt } } as ModelRecord);

describe('the rest of a record', () => {
  it('has every undocumented field, nested ones as well', () => {
    const record: ModelRecord = {
      id: 'a/b',
      name: 'B',
      moon: [1],
      architecture: { modality: 'text->text', moon: 'full' },
      top_provider: { is_moderated: true, moon: null },
      links: { details: '/x', status: '/y' },
      pricing: { moon: '1' },
    };
    expect(restOfRecord(record)).toEqual({
      moon: [1],
      'architecture.moon': 'full',
      'top_provider.moon': null,
      'links.status': '/y',
    });
  });

  it('has documented fields of another type, so that nothing is lost', () => {
    const record: ModelRecord = {
      id: 'a/b',
      context_length: 'long',
      architecture: 'text',
      supported_parameters: ['tools', 7],
      top_provider: { is_moderated: 'yes', max_completion_tokens: null },
      expiration_date: null,
    };
    expect(restOfRecord(record)).toEqual({
      context_length: 'long',
      architecture: 'text',
      supported_parameters: ['tools', 7],
      'top_provider.is_moderated': 'yes',
    });
  });
});

describe('the links of a model', () => {
  // Holds: models-2-links-details
  it('lead to the gateway, and only to web addresses', () => {
    const gateway = 'https://models.example/base/';
    expect(detailsAddress('/api/v1/models/a/b/endpoints', gateway)).toBe(
      'https://models.example/api/v1/models/a/b/endpoints',
    );
    expect(detailsAddress('javascript:alert(1)', gateway)).toBeNull();
    expect(detailsAddress('file:///etc/passwd', gateway)).toBeNull();
    expect(detailsAddress('/x', null)).toBeNull();
  });

  it('lead to Hugging Face only for an owner and a name', () => {
    expect(huggingFaceAddress('north/aurora-32b')).toBe('https://huggingface.co/north/aurora-32b');
    expect(huggingFaceAddress('../../../../evil')).toBeNull();
    expect(huggingFaceAddress('https://evil.example')).toBeNull();
  });
});

describe('the dates of a model', () => {
  it('are formatted in the language; other texts stay unchanged', () => {
    expect(dayText('2027-01-31', 'en-GB')).toBe('31 Jan 2027');
    expect(dayText('early 2027', 'en-GB')).toBe('early 2027');
    expect(dayText(null, 'en-GB')).toBeNull();
  });

  it.each([
    ['2026-11-19', 'past'],
    ['2026-12-24', 'near'],
    ['2028-01-01', null],
    ['someday', null],
    [null, null],
  ])('of expiry %s are %s', (text, state) => {
    expect(expiryState(text, NOW)).toBe(state);
  });
});

describe('a history', () => {
  it('has exact texts, and a value for each valid price', () => {
    const history = historySteps(
      { field: 'prompt', steps: [{ at: 'a', value: '0.00000015' }, { at: 'b' }, { at: 'c', value: '0' }] },
      WRITING,
    );
    expect(history).toMatchObject({ title: 'Input', unit: 'USD per million tokens' });
    expect(history.steps).toEqual([
      { at: 'a', value: 0.15, text: '$0.15' },
      { at: 'b', value: null, text: '—' },
      { at: 'c', value: 0, text: 'Free' },
    ]);
  });

  it('of a context is in tokens', () => {
    const { steps } = historySteps({ field: 'context_length', steps: [{ at: 'a', value: 131_072 }] }, WRITING);
    expect(steps).toEqual([{ at: 'a', value: 131_072, text: '131,072' }]);
  });
});

describe('a comparison', () => {
  const one = model({
    id: 'a/1',
    context_length: 8192,
    pricing: { prompt: '0.000001' },
  });

  it('estimates the cost of a workload, and says if it is unknown', () => {
    const workload = { name: 'Chat', tokensIn: 1000, tokensOut: 0, tokensCached: 0, requestsAMonth: 1000 };
    const rows = compareRows([one, priced('a/3', undefined)], workload, WRITING);
    expect(rows.find(({ key }) => key === 'cost')).toMatchObject({ cells: ['$1.00', '—'], differs: true });
    const cached = compareRows([one, priced('a/4', '0')], { ...workload, tokensCached: 1 }, WRITING);
    expect(cached.find(({ key }) => key === 'cost')).toMatchObject({
      cells: ['$1.00*', 'Free'],
      notes: [`* ${m.cost_cache_assumed()}`],
    });
  });
});

describe('price tiers', () => {
  const LONG = { min_prompt_tokens: 32_000 };
  const NIGHT = { utc_start: '16:30', utc_end: '00:30' };
  const one = model({
    id: 'a/1',
    name: 'One',
    pricing: {
      prompt: '0.00000005',
      overrides: [
        { ...LONG, prompt: '0.0000001' },
        { ...NIGHT, prompt: '0.00000002' },
      ],
    },
  });
  const other = model({ id: 'a/2', pricing: { prompt: '0.00000005', overrides: [{ ...LONG, prompt: '1e-7' }] } });
  const same = model({ id: 'a/3', pricing: { prompt: '0.00000005', overrides: [{ ...LONG, prompt: '0.00000010' }] } });
  const documents = { name: 'Documents', tokensIn: 50_000, tokensOut: 0, tokensCached: 0, requestsAMonth: 1000 };

  it('count as differences of their price', () => {
    const differs = (...lines: ReturnType<typeof model>[]) =>
      compareRows(lines, null, WRITING).find(({ key }) => key === 'price.prompt')?.differs;
    expect([differs(one, other), differs(other, same)]).toEqual([true, false]);
  });

  it('decide the cost of a workload, and say what it would be under other conditions', () => {
    const row = compareRows([one, other], documents, WRITING).find(({ key }) => key === 'cost');
    expect(row?.cells).toEqual(['$5.00†', '$5.00']);
    expect(row?.notes).toEqual(['† One: 16:30 to 00:30 UTC: $1.00']);
    expect(costText(one, documents, WRITING)).toMatchObject({
      text: '$5.00',
      tiers: ['Price tier: above 32,000 input tokens'],
      conditional: ['16:30 to 00:30 UTC: $1.00'],
    });
    expect(costText(one, { ...documents, tokensIn: 32_000 }, WRITING)).toMatchObject({ text: '$1.60', tiers: [] });
  });

  it('have a history each', () => {
    const history = { field: 'prompt', tier: LONG, steps: [{ at: 'a', value: '0.0000001' }] };
    expect(historySteps(history, WRITING)).toMatchObject({
      title: 'Input, above 32,000 input tokens',
      steps: [{ text: '$0.10' }],
    });
  });

  it('are rows of the Markdown page', () => {
    const text = modelMarkdown(one, WRITING);
    expect(text).toMatch(/\| Input, above 32,000 input tokens +\| \$0\.10 \(USD per million tokens\) +\|/);
    expect(text).toMatch(/\| Input, 16:30 to 00:30 UTC +\| \$0\.02 \(USD per million tokens\) +\|/);
    expect(text).not.toContain('overrides');
  });
});

describe('the points of the price chart', () => {
  it('omit no model silently: free and unknown ones are listed apart', () => {
    const lines = [
      priced('a/free', '0'),
      priced('a/none', undefined),
      priced('a/negative', '-1'),
      priced('a/odd', 'soon'),
      priced('a/no-context', '0.000001', null),
      priced('a/empty', '0.000001', 0),
      priced('a/fine', '0.000001'),
    ];
    const { points, free, unknown } = pricePoints(lines);
    expect(points.map(({ line }) => line.id)).toEqual(['a/fine']);
    expect(free.map(({ id }) => id)).toEqual(['a/free']);
    expect(unknown.map(({ id }) => id)).toEqual(['a/none', 'a/negative', 'a/odd', 'a/no-context', 'a/empty']);
  });

  it('give the six vendors with most models their own symbol', () => {
    const lines = Array.from({ length: 8 }, (_, v) =>
      Array.from({ length: 9 - v }, (_, n) => priced(`vendor-${v}/${n}`, '0.000001')),
    ).flat();
    const { vendors } = pricePoints([...lines, priced('nameless', '0.000001')]);
    expect(vendors.map(({ name, count }) => [name, count])).toEqual([
      ...[9, 8, 7, 6, 5, 4].map((count, v) => [`vendor-${v}`, count]),
      [null, 3 + 2 + 1],
    ]);
  });

  it('are drawn at the edge for outliers, which keep their exact price', () => {
    const usual = Array.from({ length: 40 }, (_, i) => priced(`a/${i}`, `0.00000${i + 1}`));
    const { points, beyond } = pricePoints([...usual, priced('b/tiny', '1e-15'), priced('b/vast', '9')]);
    expect(beyond.map(({ id }) => id)).toEqual(['b/tiny', 'b/vast']);
    const ups = points.map(({ up }) => up);
    expect(Math.max(...ups) / Math.min(...ups)).toBeLessThan(1e6);
    expect([points[0]?.price.toFixed(), points.at(-1)?.price.toFixed()]).toEqual(['0.000000001', '9000000']);
    expect(pricePoints([priced('b/tiny', '1e-15'), priced('b/vast', '9')]).beyond).toEqual([]);
  });
});

describe('a model as Markdown', () => {
  it('is a table whose cells are escaped', () => {
    const text = modelMarkdown(
      model({ id: 'a/b', name: 'B | C\nD', description: 'Fine.', pricing: { prompt: '0.00000015' } }),
      WRITING,
    );
    expect(text).toMatch(/^# B \\\| C D\n\nFine\.\n\n\| Field/);
    expect(text).toMatch(/\| Input +\| \$0\.15 \(USD per million tokens\) +\|/);
  });
});
