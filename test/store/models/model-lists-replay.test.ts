import { describe, expect, it } from 'vitest';
import type { Json, ChangedField, ModelRecord } from '../../../src-main/contract/model/model.ts';
import { modelChanges } from '../../../src-main/store/models/model-list-diff.ts';
import { openModelStore, OWNER } from './model-records.ts';
import { databaseOf } from '../internals.ts';
import { seededRandom } from '../search/search-items.ts';

/** A row of the log, with the saved fields of added and removed models. */
interface LogRow {
  model: string;
  field: ChangedField;
  price: string | null;
  tier: string | null;
  before: string | null;
  after: string | null;
}

type Members = Record<string, Json>;

function dice(seed: number): (sides: number) => number {
  const random = seededRandom(seed);
  return (sides) => Math.floor(random() * sides);
}

type Roll = ReturnType<typeof dice>;

function pick(roll: Roll, ...from: (Json | undefined)[]): Json | undefined {
  return from[roll(from.length)];
}

/** Undefined fields are left out. */
function given(members: Record<string, Json | undefined>): Members {
  return Object.fromEntries(Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

const TIERS: Members[] = [{ min_prompt_tokens: 1000 }, { utc_start: '16:30', utc_end: '00:30' }, { region: 'eu' }];

function randomModel(roll: Roll, id: string): ModelRecord {
  const price = () => pick(roll, '0.1', '0.10', '1e-1', '0', '0.0', '', '-1', null, undefined, 'ask', 0.1);
  const record = given({
    name: pick(roll, 'One', 'Uno', null, undefined),
    description: pick(roll, 'Some words', 'Other words'),
    context_length: pick(roll, 8_000, 16_000, '8k', null, undefined),
    pricing: pick(
      roll,
      given({ prompt: price(), completion: price(), constructor: price() }),
      given({
        prompt: price(),
        overrides: TIERS.filter(() => roll(2) > 0).map((tier) => given({ ...tier, prompt: price() })),
      }),
      {},
      null,
      undefined,
    ),
    architecture: pick(
      roll,
      { input_modalities: ['text', 'image'], output_modalities: ['text'], modality: 'text+image->text' },
      { input_modalities: ['image', 'text'], output_modalities: ['text'] },
      { modality: 'text->text' },
      {},
      undefined,
    ),
    top_provider: given({
      is_moderated: pick(roll, true, false, null, undefined),
      max_completion_tokens: pick(roll, 4_096, null, undefined),
    }),
    supported_parameters: pick(roll, ['a', 'b'], ['b', 'a'], ['a'], [], null, undefined),
    expiration_date: pick(roll, '2027-01-01', null, undefined),
    knowledge_cutoff: pick(roll, '2025-01', null, undefined),
  });
  return { ...record, id };
}

function randomModelList(roll: Roll, before: readonly ModelRecord[]): ModelRecord[] {
  const ids = Array.from({ length: 8 }, (_, n) => `a/${String(n)}`).filter(() => roll(4) > 0);
  const modelList = ids.map(
    (id) => (roll(2) === 0 && before.find((record) => record.id === id)) || randomModel(roll, id),
  );
  return roll(3) === 0 ? modelList.toReversed() : modelList;
}

/** Sorted, because the log ignores the order of a list. */
function asSet(value: Json | undefined): Set<Json> | Json | undefined {
  return Array.isArray(value) ? new Set(value) : value;
}

/** Applies the changes of the log to a model list. */
function replay(models: Map<string, ModelRecord>, { model: id, field, price, tier, before, after }: LogRow): void {
  if (field === 'added') {
    expect(models.has(id)).toBe(false);
    models.set(id, { ...(JSON.parse(after ?? '{}') as Members), id });
    return;
  }
  const record = models.get(id);
  expect(record).toBeDefined();
  if (field === 'removed' || !record) {
    models.delete(id);
    return;
  }
  const place = placeOf(record, field, price, tier);
  if (field !== 'modality' && field !== 'price') {
    expect(asSet(place.in[place.name])).toEqual(asSet(before === null ? undefined : (JSON.parse(before) as Json)));
  }
  if (after === null) Reflect.deleteProperty(place.in, place.name);
  else place.in[place.name] = JSON.parse(after) as Json;
}

function placeOf(
  record: ModelRecord,
  field: ChangedField,
  price: string | null,
  tier: string | null,
): { in: Members; name: string } {
  const inside = (name: string): Members => {
    const value = record[name];
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    return (record[name] = {});
  };
  switch (field) {
    case 'price':
      return { in: tier === null ? inside('pricing') : tierIn(inside('pricing'), tier), name: price ?? '' };
    case 'context':
      return { in: record, name: 'context_length' };
    case 'maxCompletion':
      return { in: inside('top_provider'), name: 'max_completion_tokens' };
    case 'moderation':
      return { in: inside('top_provider'), name: 'is_moderated' };
    case 'modality':
      record['architecture'] = {};
      return { in: inside('architecture'), name: 'modality' };
    case 'parameters':
      return { in: record, name: 'supported_parameters' };
    case 'expiry':
      return { in: record, name: 'expiration_date' };
    case 'cutoff':
      return { in: record, name: 'knowledge_cutoff' };
    default:
      return { in: record, name: field };
  }
}

/** The tier of these conditions, added if there is none. */
function tierIn(pricing: Members, tier: string): Members {
  const tiers = (pricing['overrides'] ??= []) as Members[];
  const conditions = JSON.parse(tier) as Members;
  const known = tiers.find((one) => Object.entries(conditions).every(([name, value]) => one[name] === value));
  if (known) return known;
  tiers.push(conditions);
  return conditions;
}

describe('the change log of any model lists', () => {
  it.each(Array.from({ length: 20 }, (_, n) => n + 1))(
    'replayed leads from the first to the last, by the dice of %i',
    (seed) => {
      const roll = dice(seed);
      const { replace, queries, store } = openModelStore();
      const modelLists = [randomModelList(roll, [])];
      for (let n = 1; n < 12; n += 1) modelLists.push(randomModelList(roll, modelLists.at(-1) ?? []));
      for (const modelList of modelLists) replace(modelList);

      const models = new Map(modelLists[0]?.map((record) => [record.id, structuredClone(record)]));
      const log = databaseOf(store).prepare<[], LogRow>('SELECT * FROM user.change ORDER BY rowid').all();
      for (const row of log) replay(models, row);

      const last = modelLists.at(-1) ?? [];
      expect(modelChanges([...models.values()], last, 0)).toEqual([]);
      expect(new Set(models.keys())).toEqual(new Set(last.map(({ id }) => id)));
      expect(queries.models.list(OWNER, 'models').lines.map(({ id }) => id)).toEqual(last.map(({ id }) => id));
      expect(last.map(({ id }) => queries.models.get(OWNER, 'models', id).record)).toEqual(last);
    },
  );
});
