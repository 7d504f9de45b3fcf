import { describe, expect, it } from 'vitest';
import type { ModelLine, Workload } from '../../../../src-main/contract/model/model.ts';
import type { Locales } from '../../../../src-renderer/features/models/model-facts.ts';
import { columnsOf } from '../../../../src-renderer/features/models/model-columns.ts';
import { csvOf, jsonOf, markdownOf } from '../../../../src-renderer/features/models/model-export.ts';
import { madeUpLine } from '../../support/made-up-models.ts';

const BY: Locales = { locale: 'en', dateLocale: 'en-GB' };
const WORKLOAD: Workload = { name: 'Chat', tokensIn: 3, tokensOut: 1, tokensCached: 2, requestsAMonth: 1_000_000 };

const OAK = madeUpLine('alder/oak', {
  name: '=cmd()|"Oak",\n<b>one</b>',
  contextLength: 131_072,
  pricing: { prompt: '0.00000015', completion: '1e-7' },
  supportedParameters: ['tools', 'seed'],
});
const ODD = madeUpLine('odd', { name: '@odd', pricing: { prompt: '-1', completion: '' } });

function columns(lines: readonly ModelLine[], ...ids: string[]) {
  return columnsOf(lines).filter(({ id }) => ids.includes(id));
}

describe('an export of models', () => {
  const lines = [OAK, ODD];
  const shown = {
    lines,
    columns: columns(lines, 'name', 'context', 'price.prompt', 'price.completion', 'cost', 'parameters'),
    workload: WORKLOAD,
  };

  it('as CSV has prices as given and per million, and no formulas', () => {
    const [bom, text] = [csvOf(shown)[0], csvOf(shown).slice(1)];
    expect(bom).toBe('\ufeff');
    const [heads, ...rows] = text.trimEnd().split('\n');
    expect(heads).toBe(
      [
        ...['id', 'name', 'pricing.prompt', 'pricing.prompt.usd_per_million'],
        ...[
          'pricing.completion',
          'pricing.completion.usd_per_million',
          'context_length',
          'cost_usd_a_month',
          'cost_cache_assumed',
          'supported_parameters',
        ],
      ].join(','),
    );
    expect(rows.join('\n')).toBe(
      [
        `alder/oak,"'=cmd()|""Oak"",\n<b>one</b>",0.00000015,0.15,1e-7,0.1,131072,0.55,true,tools seed`,
        `odd,'@odd,-1,,,,,,,`,
      ].join('\n'),
    );
  });

  it('as JSON has every field, and the prices as given', () => {
    const parsed = JSON.parse(jsonOf(shown)) as { workload: Workload; models: (ModelLine & { cost: unknown })[] };
    expect(parsed.workload).toEqual(WORKLOAD);
    const cost = { usd: '0.55', cacheAssumed: true, tiers: [], otherwise: [] };
    expect(parsed.models[0]).toEqual({ ...OAK, cost });
    expect(parsed.models[1]).toEqual({ ...ODD, cost: null });
    expect(JSON.parse(jsonOf({ ...shown, workload: null }))).toEqual({ models: lines });
  });

  it('as Markdown is a table in which names are escaped', () => {
    const [heads, rule, ...rows] = markdownOf(shown, BY).trimEnd().split('\n');
    expect(heads).toContain('Input (USD per million tokens)');
    expect(rule).toMatch(/^\| :-+ \| :-+ \| -+: \|/);
    expect(rows[0]).toContain('=cmd()\\|"Oak", \\<b\\>one\\</b\\>');
    expect(rows[0]).toMatch(/\| \$0\.55\\\* \|/);
    expect(rows[1]).toMatch(/^\| @odd /);
    expect(rows[1]).toContain('| —');
    expect(rows).toHaveLength(2);
  });

  it('has price tiers: as given in CSV, in the cost in JSON, marked in Markdown', () => {
    const long = { min_prompt_tokens: 2, prompt: '0.0000003' };
    const night = { utc_start: '16:30', utc_end: '00:30', prompt: '0.0000001' };
    const tiered = madeUpLine('alder/ash', {
      pricing: { prompt: '0.00000015', completion: '1e-7', overrides: [long, night] },
    });
    const lines = [tiered, ODD];
    const content = { lines, columns: columns(lines, 'name', 'price.prompt', 'cost'), workload: WORKLOAD };
    const [heads, ...rows] = csvOf(content).trimEnd().split('\n');
    expect(heads).toMatch(/,pricing\.overrides$/);
    expect(rows[0]).toContain(`"${JSON.stringify([long, night]).replaceAll('"', '""')}"`);
    expect(rows[1]).toMatch(/,$/);
    const { models } = JSON.parse(jsonOf(content)) as { models: { cost: unknown }[] };
    expect(models[0]?.cost).toEqual({
      usd: '1',
      cacheAssumed: true,
      tiers: [{ min_prompt_tokens: 2 }],
      otherwise: [{ tier: { utc_start: '16:30', utc_end: '00:30' }, usd: '0.4' }],
    });
    expect(markdownOf(content, BY)).toContain('| $0.15† | $1.00\\*† |');
    expect(columnsOf(lines).map(({ id }) => id)).not.toContain('price.overrides');
  });
});
