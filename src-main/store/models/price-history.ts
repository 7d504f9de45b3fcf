import type { Json } from '../../contract/model/json.ts';
import type { FieldHistory } from '../../contract/model/model.ts';
import type { DatedChange } from './change-log-table.ts';
import { asTime } from '../../common/timestamp.ts';

type Given = Json | undefined;
type Steps = FieldHistory['steps'];

const CONTEXT = 'context_length';

/**
 * The history of each price and of the context length that ever changed, including when the model was removed and came
 * back. `changes` are oldest first; they are complete since `since` (ms since 1970).
 */
export function fieldHistoriesOf(changes: readonly DatedChange[], since: number): FieldHistory[] {
  const histories = new Map<string, Steps>();
  for (const { at, field, price, before, after } of changes) {
    if (field === 'price' && price !== undefined) step(price, at, before, after);
    if (field === 'context') step(CONTEXT, at, before, after);
    if (field === 'added') for (const [name, value] of figuresOf(after)) step(name, at, undefined, value);
    if (field === 'removed') for (const [name, value] of figuresOf(before)) step(name, at, value, undefined);
  }
  return [...histories].filter(([, { length }]) => length > 1).map(([field, steps]) => ({ field, steps }));

  function step(name: string, at: number, before: Given, after: Given): void {
    const known = histories.get(name);
    const steps = known ?? [];
    histories.set(name, steps);
    // A model added after `since` had no value before it.
    if (!known && at > since) steps.push(toStep(since, before));
    steps.push(toStep(at, after));
  }
}

function toStep(ms: number, value: Given): Steps[number] {
  const at = asTime(ms) ?? '';
  return value === undefined ? { at } : { at, value };
}

/** The prices and context length of an added or removed model. */
function figuresOf(fields: Given): [string, Json][] {
  if (!isObject(fields)) return [];
  const { pricing, [CONTEXT]: context } = fields;
  const prices = isObject(pricing) ? Object.entries(pricing) : [];
  return context === undefined ? prices : [...prices, [CONTEXT, context]];
}

function isObject(value: Given): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
