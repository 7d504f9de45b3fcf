import { describe, expect, it } from 'vitest';
import type { ModelRecord } from '../../src-main/contract/model/model.ts';
import { fakeClock } from '../support/clock.ts';
import { demo } from './service.ts';

const DAY = 86_400_000;
const key = { headers: { authorization: 'Bearer demo-key' } };

describe('The control of the model catalogue', () => {
  it('adds, changes and removes what is served', async () => {
    const { get, service } = await demo();
    const { control } = service;
    const [first, second] = control.models('models');
    control.addModel('models', { id: 'acme/new', pricing: { prompt: '0.5' }, future: { deep: [1] } });
    control.editModel('models', first!.id, {
      context_length: 5,
      pricing: { prompt: '1', completion: undefined },
      top_provider: { is_moderated: null },
      description: undefined,
    });
    control.removeModel('models', second!.id);
    const { data } = (await get('/models/user', key)).body;
    expect(data).toEqual(control.models('models'));
    expect(data.length).toBe(120);
    expect(data[0]).toMatchObject({
      id: 'acme/new',
      pricing: { prompt: '0.5' },
      future: { deep: [1] },
      links: { details: '/api/v1/models/acme/new/endpoints' },
    });
    const { completion: _, ...pricing } = first!['pricing'] as Record<string, string>;
    const { description: __, ...rest } = first!;
    expect(data[1]).toEqual({
      ...rest,
      context_length: 5,
      pricing: { ...pricing, prompt: '1' },
      top_provider: { ...(first!['top_provider'] as object), is_moderated: null },
    });
    expect(data.some(({ id }) => id === second!.id)).toBe(false);
  });

  it('changes one list of one service, and no other', async () => {
    const [one, two] = [await demo(), await demo()];
    const untouched = two.service.control.models('models');
    const { id } = one.service.control.models('embeddings')[0]!;
    one.service.control.removeModel('embeddings', id);
    one.service.control.editModel('models', untouched[0]!.id, { pricing: { prompt: '7' } });
    expect(one.service.control.models('embeddings').length).toBe(16);
    expect(two.service.control.models('embeddings').length).toBe(17);
    expect(two.service.control.models('models')).toEqual(untouched);
  });
});

describe('The model catalogue of living content', () => {
  const living = (start: string, seed = 1) => demo({ content: 'living', clock: fakeClock(start), seed });

  it('is the same after a restart, also in another month', async () => {
    const first = await living('2026-03-18T06:30:00Z');
    const before = first.service.control.models('models');
    first.clock.advance(30 * DAY);
    const second = await living('2026-04-17T06:30:00Z');
    expect(second.service.control.models('models')).toEqual(first.service.control.models('models'));
    expect(second.service.control.models('embeddings')).toEqual(first.service.control.models('embeddings'));
    expect(first.service.control.models('models')).not.toEqual(before);
  });

  it('has new models, removed ones, and other prices, contexts and expiry dates within a month', async () => {
    const { clock, service } = await living('2026-03-18T06:30:00Z');
    const [before, embeddings] = [byId(service.control.models('models')), service.control.models('embeddings')];
    clock.advance(30 * DAY);
    const after = byId(service.control.models('models'));
    const stayed = [...before].flatMap(([id, model]) => (after.has(id) ? [[model, after.get(id)!] as const] : []));
    const changed = (field: string): boolean =>
      stayed.some(([old, young]) => JSON.stringify(old[field]) !== JSON.stringify(young[field]));
    expect([...after.keys()].some((id) => !before.has(id))).toBe(true);
    expect(stayed.length).toBeLessThan(before.size);
    expect(['pricing', 'context_length', 'expiration_date', 'supported_parameters'].map(changed)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(service.control.models('embeddings')).not.toEqual(embeddings);
  });

  it('stays about as long for years, and its prices readable', async () => {
    const { clock, service } = await living('2026-03-18T06:30:00Z', 5);
    for (let month = 0; month < 60; month += 1) {
      clock.advance(30 * DAY);
      expect(Math.abs(service.control.models('models').length - 120)).toBeLessThanOrEqual(4);
    }
    const prices = service.control
      .models('models')
      .filter(({ id }) => !id.startsWith('edge-cases/'))
      .map(({ pricing }) => (pricing as Record<string, string>)['prompt']);
    expect(prices.every((price) => /^\d+(\.\d{1,13})?$/.test(price ?? ''))).toBe(true);
  });

  it('differs from seed to seed', async () => {
    const [one, two] = [await living('2026-03-18T06:30:00Z'), await living('2026-03-18T06:30:00Z', 2)];
    expect(two.service.control.models('models')).not.toEqual(one.service.control.models('models'));
  });

  it('does not change where the content is fixed', async () => {
    const { clock, service } = await demo();
    const before = service.control.models('models');
    clock.advance(90 * DAY);
    expect(service.control.models('models')).toEqual(before);
  });
});

function byId(models: ModelRecord[]): Map<string, ModelRecord> {
  return new Map(models.map((model) => [model.id, model]));
}
