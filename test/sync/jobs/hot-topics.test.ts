import { describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../support/test-app.ts';
import { notifiedStories, topic, type NotifiedStories } from '../../support/told-stories.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

interface Scene {
  app: TestApp;
  told: NotifiedStories;
  sync(): Promise<unknown>;
  list(): ReturnType<typeof list>;
}

async function openScene(options: Parameters<typeof openTestApp>[0] = {}): Promise<Scene> {
  const told = notifiedStories();
  const app = await openTestApp({ content: { selected: 1 }, intercept: told.intercept, ...options });
  const sync = async () => {
    const { resources } = await app.call('sync.run', { urgency: 'now', resources: ['hotTopics'] });
    return resources.hotTopics;
  };
  return { app, told, sync, list: () => list(app) };
}

const list = ({ call }: TestApp) => call('hotTopics.list', {});

/** Writes the ranks of a history as text. */
const way = (points: { rank: number | null }[]): string => points.map(({ rank }) => rank ?? '-').join(' ');

describe('hot topics (document 1 section 4.2)', () => {
  // Holds: news-2-topic-rank, news-2-topic-story
  it('are saved field by field, unknown fields included', async () => {
    const { app, told, sync, list } = await openScene();
    const served = topic(1, 'a', { story: 's-1', participantCount: 7, heat: { display: 99 } });
    told.rank([{ ...served, source: { name: 'A source', tier: 1 } }]);
    expect(await sync()).toMatchObject({ status: 'ok', requests: 1, added: 1, skipped: 0 });
    const { topics, since } = await list();
    const { heat, ...known } = served;
    expect(topics).toEqual([
      {
        ...known,
        source: { name: 'A source', tier: 1 },
        extra: { heat },
        storyId: 's-1',
        storySaved: false,
        storyGoneAt: null,
        moved: null,
        history: {
          firstSeenAt: since,
          peak: { rank: 1, at: since },
          reentries: 0,
          points: [{ at: since, rank: 1 }],
        },
        readAt: null,
      },
    ]);
    expect(since).toBe(new Date(app.clock.now()).toISOString());
  });

  it('that are identical are no new ranking', async () => {
    const { app, told, sync, list } = await openScene();
    told.rank([topic(1, 'a')]);
    await sync();
    const before = await list();
    app.clock.advance(5 * MINUTE);
    told.lifetime = 61;
    expect(await sync()).toMatchObject({ status: 'ok', added: 0, revised: 0, withdrawn: 0 });
    expect(await list()).toEqual(before);
    expect(app.heard('hotTopics.changed')).toHaveLength(1);
  });

  it('show whether their item was read', async () => {
    const { app, told, sync, list } = await openScene();
    told.rank([topic(1, 'a')]);
    await sync();
    await app.call('items.mark', { ids: ['a'], mark: 'read' });
    expect((await list()).topics[0]!.readAt).not.toBeNull();
  });
});

describe('the history of a topic', () => {
  /** Each ranking five minutes after the one before; a text of ids by rank, `.` for a gap. */
  async function play(rankings: string[], step = 5 * MINUTE): Promise<Scene> {
    const scene = await openScene();
    for (const ranking of rankings) {
      const topics = [...ranking].flatMap((id, index) => (id === '.' ? [] : [topic(index + 1, id)]));
      scene.told.rank(topics);
      await scene.sync();
      scene.app.clock.advance(step);
    }
    return scene;
  }
  const rankHistoryOf = async ({ list }: Scene, id: string) => (await list()).topics.find((one) => one.id === id)!;

  it('contains its peak, and how often it returned', async () => {
    const scene = await play(['..a', '.a', 'b', 'b.a', 'c', '.a']);
    const { history, moved } = await rankHistoryOf(scene, 'a');
    expect(way(history.points)).toBe('3 2 - 3 - 2');
    expect(history).toMatchObject({ reentries: 2, peak: { rank: 2 } });
    expect(Date.parse(history.peak.at) - Date.parse(history.firstSeenAt)).toBe(5 * MINUTE);
    expect(moved).toBeNull();
  });

  it('continues when an item becomes a story, and when the link is missing for a while', async () => {
    const { app, told, sync, list } = await openScene();
    for (const fields of [{}, { story: 's' }, {}]) {
      told.rank([topic(1 + told.asked.length, 'a', fields)]);
      await sync();
      app.clock.advance(5 * MINUTE);
    }
    expect(way((await list()).topics[0]!.history.points)).toBe('1 2 3');
  });

  it('drops rankings older than 30 days', async () => {
    const scene = await play(['a', '.a', 'ba', 'ab'], 10 * DAY);
    expect(way((await rankHistoryOf(scene, 'a')).history.points)).toBe('1 2 2 1');
    scene.app.clock.advance(MINUTE);
    scene.told.rank([topic(3, 'a')]);
    await scene.sync();
    expect(way((await rankHistoryOf(scene, 'a')).history.points)).toBe('2 1 3');
  });
});
