import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src-main/contract/model/model.ts';
import { RESOURCES } from '../../../src-main/contract/model/resource.ts';
import { serve } from '../../clients/tiny-service.ts';
import { fakeClock } from '../../support/clock.ts';
import { modelRecord } from '../../support/gateway.ts';
import { openTestEngine, type TestEngine } from '../../support/test-engine.ts';
import { neighbor, report, topic } from '../../support/told-stories.ts';

const clock = fakeClock();
const now = new Date(clock.now()).toISOString();
const today = now.slice(0, 10);
const month = now.slice(0, 7);
const WEEK = '2026-W10';

type Fields = Record<string, Json>;
const twice = (record: Json): Json[] => [record, record];
const item = (id: string, fields: Fields = {}): Fields => ({
  id,
  title: `Title of ${id}`,
  links: { original: `https://news.example/${id}` },
  publishedAt: now,
  discoveredAt: now,
  ...fields,
});
const entry = (id: string): Fields => ({ title: id, links: { original: `https://news.example/${id}` } });
const sections = [...twice({ label: 'Same', items: twice(entry('one')) }), { label: 'Other', items: [entry('one')] }];
const repeatingModel = modelRecord('made/one', {
  supported_parameters: ['tools', 'seed', 'tools'],
  architecture: { input_modalities: ['text', 'text'], output_modalities: ['text', 'text'] },
});
const page = (items: Json[]): Fields => ({ items, page: { hasMore: false } });
const snapshot = (items: Json[]): Fields => ({ items, cursor: 'c1', count: items.length, hasMore: false });

/** Every list of every resource has the same record twice. */
const ANSWERS: Record<string, (query: URLSearchParams) => Json> = {
  '/items': () => page(twice(item('listed'))),
  '/selected/snapshot': () => snapshot(twice(item('selected'))),
  '/selected/changes': (query) =>
    query.get('cursor') === 'c1'
      ? { cursor: 'c2', hasMore: false, changes: twice({ op: 'upsert', changedAt: now, item: item('changed') }) }
      : { cursor: 'c2', hasMore: false, changes: [] },
  '/hot-topics': () => ({
    items: [
      ...twice(topic(1, 'leader', { sourceNames: ['A', 'A', 'B'] })),
      topic(2, 'leader', { story: 's' }),
      topic(3, 'leader'),
    ],
  }),
  '/stories/s': () => ({
    story: {
      ...{ publicId: 's', title: 'Story' },
      ...{ reports: twice(report('r')), storyline: twice(neighbor('n')), related: twice(neighbor('n')) },
    },
  }),
  '/dailies': () => ({ items: twice({ date: today, generatedAt: now }) }),
  [`/dailies/${today}`]: () => ({ report: { date: today, generatedAt: now, sections, flashes: twice(entry('two')) } }),
  '/weeklies': () => ({ items: twice({ week: WEEK, generatedAt: now }) }),
  [`/weeklies/${WEEK}`]: () => ({ report: { week: WEEK, generatedAt: now, sections } }),
  '/monthlies': () => ({ items: twice({ month, generatedAt: now }) }),
  [`/monthlies/${month}`]: () => ({ report: { month, generatedAt: now, sections } }),
  '/models/user': () => ({ data: twice(repeatingModel) }),
  '/embeddings/models': () => ({ data: twice(modelRecord('made/vector')) }),
};

async function openScene(): Promise<{ room: TestEngine; gateway: string }> {
  const { address } = await serve((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const answer = ANSWERS[url.pathname.replace('/api/v1', '')]?.(url.searchParams);
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  const gateway = { source: { address, demo: false, from: 'option' }, key: null, keyEnding: null } as const;
  const room = openTestEngine({ address, gateway, clock });
  await room.call('sync.run', { urgency: 'now' });
  return { room, gateway: address };
}

describe('a record that an answer has twice', () => {
  it('is saved and shown once in every list of every resource, and the log has the number of repetitions', async () => {
    const { room, gateway } = await openScene();
    const { queries, call } = room;
    const { rows } = await call('items.page', { query: { scope: 'all', window: 'any', state: 'any' }, limit: 50 });
    expect(rows.map(({ id }) => id).sort()).toEqual(['changed', 'listed', 'selected']);
    const { topics } = queries.rankings.list();
    expect(topics.map(({ rank, id, storyId, sourceNames }) => [rank, id, storyId, sourceNames.length])).toEqual([
      [1, 'leader', null, 2],
      [2, 'leader', 's', expect.any(Number)],
      [3, 'leader', null, expect.any(Number)],
    ]);
    const story = queries.stories.record('s')?.story;
    expect([story?.reports, story?.storyline, story?.related].map((list) => list?.length)).toEqual([1, 1, 1]);
    for (const [kind, label] of [
      ['daily', today],
      ['weekly', WEEK],
      ['monthly', month],
    ] as const) {
      const saved = queries.reports.get(kind, label);
      // Sections with the same label are two sections, and one article may be in several.
      expect(saved.sections.map(({ items }) => items.length)).toEqual([1, 1, 1]);
      expect(saved.flashes).toHaveLength(kind === 'daily' ? 1 : 0);
      expect(queries.reports.index(kind).map((line) => line.label)).toEqual([label]);
    }
    const { lines } = queries.models.list(gateway, 'models');
    expect(lines.map(({ id }) => id)).toEqual(['made/one']);
    expect(lines[0]).toMatchObject({
      supportedParameters: ['tools', 'seed'],
      ...{ inputModalities: ['text'], outputModalities: ['text'] },
    });
    expect(queries.models.get(gateway, 'models', 'made/one').record['supported_parameters']).toEqual(['tools', 'seed']);
    expect(queries.models.list(gateway, 'embeddings').lines).toHaveLength(1);

    // Repetitions are normal: only the log has their number.
    for (const name of RESOURCES)
      expect([name, queries.schedule.runs(name, 1)[0]]).toMatchObject([name, { skipped: 0, skippedReasons: [] }]);
    const repetitions = room.log.filter(({ message }) => message === 'Left out repetitions');
    expect(repetitions.map(({ fields }) => fields['resource']).sort()).toEqual([...RESOURCES].sort());
    expect(room.log.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
  });
});

describe('a known field of another type', () => {
  it('is otherwise left out of its record, and the log of the run names it once, however many records have it', async () => {
    const before = ANSWERS['/items']!;
    ANSWERS['/items'] = () =>
      page(Array.from({ length: 40 }, (_, n) => item(`odd-${String(n)}`, { score: ['high'], category: 7 })));
    const { room } = await openScene();
    ANSWERS['/items'] = before;
    expect(room.queries.items.get('odd-0')).toMatchObject({ score: null, category: null });
    const [run] = room.queries.schedule.runs('items', 1);
    expect(run?.skippedReasons).toEqual([
      "odd-0: category can't be read; the rest is used",
      "odd-0: score can't be read; the rest is used",
    ]);
    expect(run).toMatchObject({ added: 40, skipped: 0 });
  });
});
