import { z } from 'zod';
import { nameInTier, orderedPrices, priceName, priceWithUnit } from '../../common/price-text.ts';
import { allPriceNames, basePrices, givenText, priceOf, tiersOf } from '../../common/price.ts';
import { nameKey } from '../../common/text.ts';
import { instant } from '../../common/time.ts';
import { modelId, modelList } from '../../contract/guards.ts';
import type { Json, ModelChange, ModelLine, ModelRefresh, StoredModel } from '../../contract/model/model.ts';
import { idText, lineOf, MAX_LENGTH, passageOf } from '../citation.ts';
import { pageArguments, pageOf, pageText, sinceArgument, sinceOf, tool, type Answer } from '../tool.ts';

const MAX_LINES = 100;
const MAX_OFFSET = 100_000;
const MAX_PARTS = 100;
const MAX_REFRESHES = 200;
const LANGUAGE = 'en';

const listArgument = modelList.default('models').describe('models, or embeddings');

function quoteLine(line: ModelLine) {
  return {
    id: line.id,
    name: lineOf(line.name),
    provider: lineOf(line.vendor, MAX_LENGTH.name),
    contextLength: line.contextLength,
    input: priceTextOf(line, 'prompt'),
    output: priceTextOf(line, 'completion'),
    aliasFor: lineOf(line.aliasTarget),
    firstSeenAt: line.firstSeenAt,
  };
}

function priceTextOf({ pricing }: ModelLine, name: string): string | null {
  return lineOf(priceWithUnit(name, priceOf(pricing, name), LANGUAGE), MAX_LENGTH.name);
}

export const listModels = tool({
  name: 'list_models',
  title: 'List models',
  description:
    'Saved models of the model gateway with prices and context, in its order; `text` is a part of the name or id.',
  input: z.strictObject({
    list: listArgument,
    text: z.string().trim().max(200).default('').describe('A part of the name, id or provider; empty for all'),
    ...pageArguments(MAX_LINES, 20, MAX_OFFSET),
  }),
  resource: ({ list }) => list,
  async run({ list, text, ...asked }, { call }): Promise<Answer> {
    const { lines } = await call('models.list', { modelList: list });
    const wanted = nameKey(text);
    const found = lines.filter(({ id, name }) => nameKey(`${name} ${id}`).includes(wanted));
    const { rows, facts } = pageOf(found, asked);
    const models = rows.map(quoteLine);
    return {
      intro: pageText(models.length, list, facts),
      facts,
      quoted: { models },
      lines: models.map(
        ({ id, name, contextLength, input, output }, at) =>
          `${String(asked.offset + at + 1)}. ${name ?? ''} — input ${input ?? '?'}, output ${output ?? '?'}, ` +
          `context ${contextLength === null ? 'not given' : String(contextLength)} — id: ${idText(id)}`,
      ),
    };
  },
});

export const getModel = tool({
  name: 'get_model',
  title: 'Read a model',
  description: 'One saved model: description, context, modalities, all prices with their tiers, and dates.',
  input: z.strictObject({ list: listArgument, id: modelId.describe('As list_models gives it') }),
  resource: ({ list }) => list,
  async run({ list, id }, { call }): Promise<Answer> {
    const model = await call('models.get', { modelList: list, id });
    const shown = {
      ...quoteLine(model),
      description: passageOf(model.description),
      maxOutput: model.maxCompletionTokens,
      inputModalities: namesOf(model.inputModalities),
      outputModalities: namesOf(model.outputModalities),
      supportedParameters: namesOf(model.supportedParameters),
      expires: lineOf(model.expirationDate, MAX_LENGTH.name),
      knowledgeCutoff: lineOf(model.knowledgeCutoff, MAX_LENGTH.name),
      prices: pricesOf(model),
    };
    const { description, prices, ...facts } = shown;
    return {
      intro: 'One model.',
      facts: {},
      quoted: { model: shown },
      lines: [
        ...Object.entries(facts).flatMap(([name, value]) => factLine(name, value)),
        ...prices.map(({ name, price }) => `price, ${name}: ${price}`),
        ...(description?.split('\n') ?? []),
      ],
    };
  },
});

export const modelChanges = tool({
  name: 'model_changes',
  title: 'List changes of models',
  description:
    'What changed in the model lists between downloads, newest first: new and removed models, prices, context.',
  input: z.strictObject({
    list: modelList.optional().describe('Only this list'),
    id: modelId.optional().describe('Only this model of the list, which is then `models` unless named'),
    since: sinceArgument.optional(),
    ...pageArguments(MAX_LINES, 50, MAX_OFFSET),
  }),
  resource: ({ list }) => list ?? 'models',
  async run({ list, id, since, ...asked }, { call, now }): Promise<Answer> {
    const model = id === undefined ? {} : { model: { modelList: list ?? ('models' as const), id } };
    const { refreshes } = await call('models.changes', { limit: MAX_REFRESHES, ...model });
    const from = since === undefined ? -Infinity : sinceOf(since, now);
    const all = refreshes
      .filter((refresh) => (list === undefined || refresh.modelList === list) && (instant(refresh.at) ?? 0) >= from)
      .flatMap((refresh) => refresh.changes.map((change) => [refresh, change] as const));
    const { rows, facts } = pageOf(all, asked);
    const changes = rows.map(([refresh, change]) => quoteChange(refresh, change));
    return {
      intro: pageText(changes.length, 'changes', facts),
      facts,
      quoted: { changes },
      lines: changes.map(changeLine),
    };
  },
});

interface QuotedChange {
  at: string;
  list: ModelRefresh['modelList'];
  id: string;
  name: string | null;
  field: string;
  price: string | null;
  before: string | null;
  after: string | null;
  /** The gateway key was another one than before, which may be the cause. */
  otherKey: boolean;
}

export function quoteChange({ at, modelList: list, otherKey }: ModelRefresh, change: ModelChange): QuotedChange {
  const { model, name, field, price, tier, before, after } = change;
  return {
    at,
    list,
    id: model,
    name: lineOf(name),
    field,
    price: price === undefined ? null : lineOf(nameInTier(priceName(price), tier, LANGUAGE)),
    before: valueText(price, before),
    after: valueText(price, after),
    otherKey,
  };
}

export function changeLine({ at, id, name, field, price, before, after }: QuotedChange): string {
  const what = price === null ? field : `${field} (${price})`;
  const values = before === null && after === null ? '' : `: ${before ?? 'not given'} -> ${after ?? 'not given'}`;
  return `- ${at} ${name ?? ''} [${idText(id)}] ${what}${values}`;
}

function valueText(price: string | undefined, value: Json | undefined): string | null {
  if (value === undefined) return null;
  return lineOf(price === undefined ? givenText(value) : priceWithUnit(price, value, LANGUAGE));
}

function pricesOf({ pricing }: StoredModel): { name: string; price: string }[] {
  const base = basePrices(pricing);
  const prices = orderedPrices(allPriceNames(pricing)).flatMap((name) => [
    ...(Object.hasOwn(base, name) ? [{ name: priceName(name), price: priceWithUnit(name, base[name], LANGUAGE) }] : []),
    ...tiersOf(pricing, name).map((tier) => ({
      name: nameInTier(priceName(name), tier.given, LANGUAGE),
      price: priceWithUnit(name, tier.prices[name], LANGUAGE),
    })),
  ]);
  return prices
    .slice(0, MAX_PARTS)
    .map(({ name, price }) => ({ name: lineOf(name) ?? '', price: lineOf(price) ?? '' }));
}

function namesOf(names: readonly string[]): string[] {
  return names.slice(0, MAX_PARTS).flatMap((name) => lineOf(name, MAX_LENGTH.name) ?? []);
}

function factLine(name: string, value: string | number | readonly string[] | null): string[] {
  if (value === null) return [];
  const text = Array.isArray(value) ? value.join(', ') : lineOf(String(value), 512);
  return text ? [`${name}: ${text}`] : [];
}
