import type { Json } from '../../contract/model/json.ts';
import type { FieldHistory } from '../../contract/model/model.ts';
import type { DatedChange } from './change-log.ts';
import { basePrices, priceTiers, tierKey } from '../../common/price-tiers.ts';
import { asTime } from '../../common/timestamp.ts';

type Given = Json | undefined;

/** A price or the context length; `tier` is the conditions of its tier. */
interface Figure {
  name: string;
  tier?: Json;
  value: Json;
}

interface Step {
  name: string;
  tier?: Given;
  at: number;
  before?: Given;
  after?: Given;
}

const CONTEXT = 'context_length';

/**
 * The history of each price, of each tier's prices and of the context length that ever changed, including when the model was
 * removed and came back. `changes` are oldest first; they are complete since `since` (ms since 1970).
 */
export function fieldHistoriesOf(changes: readonly DatedChange[], since: number): FieldHistory[] {
  const histories = new Map<string, FieldHistory>();
  for (const { at, field, price, tier, before, after } of changes) {
    if (field === 'price' && price !== undefined) step({ name: price, tier, at, before, after });
    if (field === 'context') step({ name: CONTEXT, at, before, after });
    if (field === 'added') for (const { value, ...of } of figuresOf(after)) step({ ...of, at, after: value });
    if (field === 'removed') for (const { value, ...of } of figuresOf(before)) step({ ...of, at, before: value });
  }
  return [...histories.values()].filter(({ steps }) => steps.length > 1);

  function step({ name, tier, at, before, after }: Step): void {
    const key = `${name}\n${tier === undefined ? '' : tierKey(tier)}`;
    const known = histories.get(key);
    const history = known ?? { field: name, ...(tier !== undefined && { tier }), steps: [] };
    histories.set(key, history);
    // A model added after `since` had no value before it.
    if (!known && at > since) history.steps.push(toStep(since, before));
    history.steps.push(toStep(at, after));
  }
}

function toStep(ms: number, value: Given): FieldHistory['steps'][number] {
  const at = asTime(ms) ?? '';
  return value === undefined ? { at } : { at, value };
}

/** The prices and context length of an added or removed model. */
function figuresOf(fields: Given): Figure[] {
  if (!isObject(fields)) return [];
  const { pricing: given, [CONTEXT]: context } = fields;
  const pricing = isObject(given) ? given : {};
  const named = (prices: Record<string, Json>, tier?: Json): Figure[] =>
    Object.entries(prices).map(([name, value]) => ({ name, ...(tier !== undefined && { tier }), value }));
  return [
    ...named(basePrices(pricing)),
    ...priceTiers(pricing).flatMap((tier) => named(tier.prices, tier.given)),
    ...(context === undefined ? [] : [{ name: CONTEXT, value: context }]),
  ];
}

function isObject(value: Given): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
