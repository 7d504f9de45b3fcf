import { describe, expect, it } from 'vitest';
import { expiryOf, isAliasId, modelLine, nameWithoutVendor } from '../../src-main/common/model-line.ts';
import type { Json } from '../../src-main/contract/model/model.ts';

const NOTHING_KNOWN = {
  id: 'acme/one',
  name: 'acme/one',
  vendor: 'acme',
  aliasTarget: null,
  description: null,
  created: null,
  contextLength: null,
  maxCompletionTokens: null,
  inputModalities: [],
  outputModalities: [],
  modality: null,
  tokenizer: null,
  instructType: null,
  pricing: {},
  moderated: null,
  supportedParameters: [],
  expirationDate: null,
  knowledgeCutoff: null,
};

describe('the line of a model', () => {
  // Holds: models-2-name, models-2-description, models-2-created, models-2-context-length, models-2-architecture
  // Holds: models-2-pricing, models-2-top-provider, models-2-supported-parameters, models-2-input-modalities
  // Holds: models-2-output-modalities, models-2-modality, models-2-instruct-type, models-2-tokenizer
  // Holds: models-2-provider-moderated, models-2-provider-max-completion, models-2-expiration-date
  // Holds: models-2-knowledge-cutoff
  it('has the values of its record', () => {
    const line = modelLine({
      id: 'acme/one',
      name: 'Acme: One',
      description: 'The first.',
      created: 1_760_000_000,
      context_length: 131_072,
      architecture: {
        input_modalities: ['text', 'image'],
        output_modalities: ['text'],
        modality: 'text+image->text',
        instruct_type: 'chatml',
        tokenizer: 'BPE',
      },
      pricing: { prompt: '0.00000015', completion: null, discount: '0.25' },
      top_provider: { context_length: 65_536, is_moderated: false, max_completion_tokens: 8192 },
      supported_parameters: ['tools'],
      expiration_date: '2027-01-31',
      knowledge_cutoff: '2025-06-30',
      future: true,
    });
    expect(line).toEqual({
      id: 'acme/one',
      name: 'Acme: One',
      vendor: 'acme',
      aliasTarget: null,
      description: 'The first.',
      created: 1_760_000_000,
      contextLength: 131_072,
      maxCompletionTokens: 8192,
      inputModalities: ['text', 'image'],
      outputModalities: ['text'],
      modality: 'text+image->text',
      tokenizer: 'BPE',
      instructType: 'chatml',
      pricing: { prompt: '0.00000015', completion: null, discount: '0.25' },
      moderated: false,
      supportedParameters: ['tools'],
      expirationDate: '2027-01-31',
      knowledgeCutoff: '2025-06-30',
    });
  });

  it('needs only an id', () => {
    expect(modelLine({ id: 'acme/one' })).toEqual(NOTHING_KNOWN);
  });

  it('reads numbers in texts', () => {
    const given = { created: '1770000000', context_length: '131072', top_provider: { max_completion_tokens: '8' } };
    const read = { created: 1_770_000_000, contextLength: 131_072, maxCompletionTokens: 8 };
    expect(modelLine({ id: 'acme/one', ...given })).toMatchObject(read);
  });

  // Holds: models-2-created, models-2-context-length, models-2-architecture, models-2-pricing, models-2-top-provider
  // Holds: models-2-provider-moderated, models-2-provider-max-completion
  it('treats fields of another type as missing', () => {
    const odd: Record<string, Json> = {
      name: '  ',
      description: 7,
      created: '2025',
      context_length: 'a lot',
      architecture: ['text'],
      pricing: 'cheap',
      top_provider: { is_moderated: 'no', max_completion_tokens: -1 },
      supported_parameters: { tools: true },
      expiration_date: 1_800_000_000,
      knowledge_cutoff: false,
    };
    expect(modelLine({ id: 'acme/one', ...odd })).toEqual(NOTHING_KNOWN);
    expect(modelLine({ id: 'acme/one', pricing: ['0'], architecture: null, created: 1e300 })).toEqual(NOTHING_KNOWN);
  });

  // Holds: models-2-supported-parameters
  it('keeps the strings of a list, and drops other values', () => {
    expect(modelLine({ id: 'x', supported_parameters: ['a', 1, null, ['b'], 'c'] }).supportedParameters).toEqual([
      'a',
      'c',
    ]);
  });

  // Holds: models-2-id
  it.each([
    ['acme/one', 'acme'],
    ['acme/one/two', 'acme'],
    ['one', null],
    ['/one', null],
    ['~acme/one', 'acme'],
    ['~/one', null],
    ['~one', null],
  ])('takes the vendor of %s: %s', (id, vendor) => {
    expect(modelLine({ id }).vendor).toBe(vendor);
  });

  it.each<[Json, string | null]>([
    ['acme/one-2', 'acme/one-2'],
    [{ slug: 'acme/one-2', name: 'One 2' }, 'acme/one-2'],
    [{ name: 'One 2' }, null],
    ['', null],
    [7, null],
    [null, null],
  ])('takes the target of an alias from %j: %s', (alias_target, target) => {
    expect(modelLine({ id: '~acme/one', alias_target }).aliasTarget).toBe(target);
    expect([isAliasId('~acme/one'), isAliasId('acme/~one')]).toEqual([true, false]);
  });

  it.each([
    ['2027-01-31', '2027-01-31'],
    ['2036-11-20', '2036-11-20'],
    ['2036-12-01', null],
    ['2098-12-31', null],
    ['9999-12-31T23:59:59Z', null],
    ['2001-01-01', '2001-01-01'],
    ['in spring', 'in spring'],
    [null, null],
  ])('has the expiry %s as %s in November 2026', (given, expiry) => {
    expect(expiryOf(given, Date.parse('2026-11-20T12:00:00Z'))).toBe(expiry);
  });

  it('cuts a text that is too long, but not inside a character', () => {
    const { name } = modelLine({ id: 'x', name: `${'a'.repeat(511)}😀${'b'.repeat(9)}` });
    expect([name.length, name.isWellFormed()]).toEqual([512, true]);
  });
});

describe('the name of a model without its vendor', () => {
  it.each([
    ['Alder: Oak 5 (free)', 'Oak 5 (free)'],
    ['桦树：榆 2', '榆 2'],
    ['Oak 5', 'Oak 5'],
    ['Alder: Oak: Preview', 'Oak: Preview'],
    // No vendor, or nothing after it.
    ['oak:free', 'oak:free'],
    ['Alder: ', 'Alder: '],
    [': Oak', ': Oak'],
    ['', ''],
  ])('is in %j: %j', (name, short) => {
    expect(nameWithoutVendor(name)).toBe(short);
  });
});
