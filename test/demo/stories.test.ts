import { describe, expect, it } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { standingDemo } from './service.ts';
import type { TestResponse, Body } from './service.ts';

type Get = (path: string) => Promise<TestResponse>;
const standing = standingDemo({ content: 'living', clock: fakeClock('2026-03-18T06:30:00Z') });

async function hottestStory(get: Get): Promise<Body> {
  const { items } = (await get('/hot-topics')).body;
  const page = items.map(({ links }) => links.story).find((link) => link !== undefined);
  return (await get(`/stories/${page?.split('/').at(-1)}`)).body.story as Body;
}

/** Stories that can be reached from one over storylines and related ones. */
async function reachable(get: Get, from: Body): Promise<Map<string, TestResponse>> {
  const found = new Map<string, TestResponse>();
  const ahead: Body[] = [from];
  for (let story = ahead.pop(); story && found.size < 60; story = ahead.pop()) {
    for (const { publicId } of [...story.storyline, ...story.related]) {
      if (found.has(publicId)) continue;
      const answer = await get(`/stories/${publicId}`);
      found.set(publicId, answer);
      if (answer.body.story) ahead.push(answer.body.story);
    }
  }
  return found;
}

async function connectedStories(get: Get): Promise<Body[]> {
  const first = await hottestStory(get);
  const others = [...(await reachable(get, first)).values()].map(({ body }) => body.story);
  return [first, ...others.filter((story) => story !== undefined)];
}

describe('GET /stories/{publicId}', () => {
  // Holds: news-2-story-one-event, news-2-story-timeline
  it('covers one news event by its reports, newest first', async () => {
    const { get } = standing();
    const story = await hottestStory(get);
    const times = story.reports.map(({ publishedAt }: Body) => publishedAt);
    expect(times).toEqual(times.toSorted().reverse());
    expect(story.reportCount).toBe(story.reports.length);
    expect(story.reportCount).toBeGreaterThanOrEqual(3);
    expect(story.reportCount).toBeLessThanOrEqual(12);
    expect(story).toMatchObject({
      status: 'active',
      latest: expect.any(String) as string,
      title: expect.any(String) as string,
    });
  });

  // Holds: news-2-story-digest, news-2-story-contradictions
  it('rewrites the digest as reports arrive, and says where they disagree', async () => {
    const { get } = standing();
    const stories = await connectedStories(get);
    expect(stories.some(({ digest }) => digest?.includes('与先前报道的出入'))).toBe(true);
    expect(stories.every(({ reportCount, digest }) => (reportCount > 3 ? digest !== null : digest === null))).toBe(
      true,
    );
    expect(new Set(stories.map(({ status }) => status))).toEqual(new Set(['active', 'settled']));
  });

  // Holds: news-3-merged-redirects, news-3-merged-location
  it('redirects a merged story to its survivor: 308, relative Location, empty body, no ETag', async () => {
    const { get } = standing();
    const answers = [...(await reachable(get, await hottestStory(get))).values()];
    const merged = answers.find(({ status }) => status === 308) as TestResponse;
    expect(answers.filter(({ status }) => status !== 200 && status !== 308)).toEqual([]);
    expect(merged.headers.get('location')).toMatch(/^\/api\/v1\/stories\/\w+$/);
    expect([merged.text, merged.headers.get('etag')]).toEqual(['', null]);
    expect((await get(merged.headers.get('location')?.replace('/api/v1', '') ?? '')).status).toBe(200);
  });

  it('answers 404 to an id it never gave, and 400 to one of more than 128 characters', async () => {
    const { get } = standing();
    expect((await get(`/stories/${'x'.repeat(128)}`)).body.code).toBe('not_found');
    expect((await get(`/stories/${'x'.repeat(129)}`)).body.code).toBe('invalid_request');
  });
});
