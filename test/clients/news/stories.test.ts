import { describe, expect, it } from 'vitest';
import { createNewsClient } from '../../../src-main/clients/news/client.ts';
import { readHotTopics, readStory } from '../../../src-main/clients/news/stories.ts';
import { client, JSON_TYPE, serve } from '../tiny-service.ts';

describe('the response of GET /hot-topics', () => {
  // Holds: news-2-topic-rank, news-2-topic-no-heat
  it('needs only rank, id and title of a topic', () => {
    const { topics, skipped } = readHotTopics({ items: [{ rank: 4, id: 'a', title: 'A' }] });
    expect(skipped).toEqual([]);
    expect(topics).toEqual([
      {
        rank: 4,
        id: 'a',
        title: 'A',
        source: { name: null },
        links: { aihot: null, original: null, story: null },
        sourceCount: null,
        signalCount: null,
        participantCount: null,
        sourceNames: [],
        latestAt: null,
        extra: {},
      },
    ]);
  });

  // Holds: news-4.2-rank-order
  it('is sorted by rank', () => {
    const items = [3, 10, 1].map((rank) => ({ rank, id: `${rank}`, title: 'A' }));
    expect(readHotTopics({ items }).topics.map(({ rank }) => rank)).toEqual([1, 3, 10]);
  });

  it('treats a field of the wrong type as absent', () => {
    const wrong = {
      rank: 1,
      id: 'a',
      title: 'A',
      source: 7,
      links: ['x'],
      sourceCount: 'three',
      sourceNames: ['B', 7, null],
    };
    expect(readHotTopics({ items: [wrong] }).topics).toMatchObject([
      { source: { name: null }, links: { story: null }, sourceCount: null, sourceNames: ['B'] },
    ]);
  });

  // Holds: news-2-topic-rank, news-4.2-rank-one-based
  it.each([
    [{ id: 'a', title: 'A' }, 'rank is missing or not a whole number'],
    [{ rank: 0, id: 'a', title: 'A' }, 'rank is below 1'],
    [{ rank: 77, id: 'a', title: 'A' }, 'rank is above 10'],
    [{ rank: 1, title: 'A' }, 'id is missing or not a string'],
    [{ rank: 1, id: 'a' }, 'title is missing or not a string'],
    [{ rank: 2, id: 'twin', title: 'A' }, 'its rank is taken'],
    [null, 'a record is null, not an object'],
  ])('skips %j: %s', (bad, reason) => {
    const { topics, skipped } = readHotTopics({ items: [{ rank: 2, id: 'good', title: 'Good' }, bad] });
    expect(topics.map(({ id }) => id)).toEqual(['good']);
    expect(skipped).toMatchObject([{ reason }]);
  });

  it.each([null, [], {}, { items: {} }, { items: [{}] }])('is rejected: %j', (answer) => {
    expect(() => readHotTopics(answer)).toThrow(expect.objectContaining({ code: 'invalid_body' }));
  });
});

describe('the response of GET /stories/{publicId}', () => {
  it.each([
    null,
    {},
    { story: null },
    { story: [] },
    { story: {} },
    { story: { title: 7 } },
    { story: { title: 'A', publicId: '' } },
  ])('is rejected: %j', (answer) => {
    expect(() => readStory(answer, 'a')).toThrow(expect.objectContaining({ code: 'invalid_body' }));
  });

  // Holds: news-2-story-contradictions
  it('keeps texts unchanged: markup is data', () => {
    const title = '<script>alert(1)</script> **bold** \u202e';
    expect(readStory({ story: { title, digest: title } }, 'a').story).toMatchObject({ title, digest: title });
  });
});

describe('the news client', () => {
  // Holds: news-4.3-public-id-length, news-8-public-id
  it('rejects an invalid story id before anything is sent', async () => {
    const service = await serve((_, response) => void response.writeHead(200, JSON_TYPE).end('{}'));
    const news = createNewsClient({ http: client(), baseAddress: service.address });
    for (const id of ['', '.', '..', 'x'.repeat(129), 'a\0']) {
      await expect(news.story(id)).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    expect(service.requests).toEqual([]);
  });

  it('takes the id of a merged story from the address if the response has none', async () => {
    const service = await serve((request, response) => {
      if (request.url?.endsWith('/old')) response.writeHead(308, { location: 'new%20one' }).end();
      else response.writeHead(200, JSON_TYPE).end('{"story": {"title": "A"}}');
    });
    const news = createNewsClient({ http: client(), baseAddress: service.address });
    expect(await news.story('old')).toMatchObject({ requests: 2, value: { story: { publicId: 'new one' } } });
  });
});
