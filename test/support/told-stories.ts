import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../../src-main/contract/model/model.ts';

type Fields = Record<string, Json>;

export interface StoryAsked {
  path: string;
  ifNoneMatch: string | undefined;
  status: number;
}

/** Hot topics and stories that a test controls, added to a demo service with its `intercept`. */
export interface NotifiedStories {
  readonly asked: StoryAsked[];
  /** Lifetime of a response in seconds (60). A change also changes the ETag. */
  lifetime: number;
  /** Sets the ranking. */
  rank(topics: readonly Json[]): void;
  tell(publicId: string, fields?: Fields): Fields;
  /** Merges the story into another one. `to` is an id or, with a slash, any Location. */
  merge(publicId: string, to: string): void;
  lose(publicId: string): void;
  /** Every request gets this response, until set to null. */
  refuse(answer: { status: number; retryAfter?: number } | null): void;
  intercept(request: IncomingMessage, response: ServerResponse): boolean;
}

const HOT_TOPICS = '/api/v1/hot-topics';
const STORY = /^\/api\/v1\/stories\/(.+)$/;

export function notifiedStories(): NotifiedStories {
  let ranking: readonly Json[] = [];
  let errorResponse: { status: number; retryAfter?: number } | null = null;
  const stories = new Map<string, Fields>();
  const merged = new Map<string, string>();
  const asked: StoryAsked[] = [];

  const told: NotifiedStories = {
    asked,
    lifetime: 60,
    rank: (topics) => void (ranking = topics),
    tell(publicId, fields = {}) {
      merged.delete(publicId);
      const story = { ...bareStory(publicId), ...stories.get(publicId), ...fields };
      stories.set(publicId, story);
      return story;
    },
    merge: (publicId, to) => void merged.set(publicId, to),
    lose(publicId) {
      merged.delete(publicId);
      stories.delete(publicId);
    },
    refuse: (answer) => void (errorResponse = answer),
    intercept(request, response) {
      const path = request.url ?? '';
      if (path !== HOT_TOPICS && !STORY.test(path)) return false;
      const ifNoneMatch = request.headers['if-none-match'];
      answer(path, ifNoneMatch, response);
      asked.push({ path, ifNoneMatch, status: response.statusCode });
      return true;
    },
  };

  function answer(path: string, ifNoneMatch: string | undefined, response: ServerResponse): void {
    if (errorResponse) return problem(response, errorResponse.status, errorResponse.retryAfter);
    if (path === HOT_TOPICS) return json(response, path, { count: ranking.length, items: [...ranking] }, ifNoneMatch);
    const id = decodeURIComponent(STORY.exec(path)?.[1] ?? '');
    const target = merged.get(id);
    if (target !== undefined) {
      const location = target.includes('/') ? target : `/api/v1/stories/${encodeURIComponent(target)}`;
      return void response.writeHead(308, { location }).end();
    }
    const story = stories.get(id);
    if (story) json(response, path, { story }, ifNoneMatch);
    else problem(response, 404);
  }

  function json(response: ServerResponse, path: string, value: Json, ifNoneMatch: string | undefined): void {
    const body = JSON.stringify(value);
    const etag = `W/"${createHash('sha1').update(path).update(body).update(String(told.lifetime)).digest('hex')}"`;
    const headers = { etag, 'cache-control': `public, s-maxage=${told.lifetime}` };
    if (ifNoneMatch === etag) response.writeHead(304, headers).end();
    else response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(body);
  }

  return told;
}

function problem(response: ServerResponse, status: number, retryAfter?: number): void {
  response.writeHead(status, {
    'content-type': 'application/problem+json',
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  });
  response.end(JSON.stringify({ status, code: status === 404 ? 'not_found' : 'temporarily_unavailable' }));
}

/** A topic with every field (observed-3-fields); `story` is the public id at the end of its page's address. */
export function topic(rank: number, id: string, { story, ...fields }: Fields = {}): Fields {
  return {
    rank,
    id,
    title: `Topic ${id}`,
    source: { name: 'A source' },
    links: {
      aihot: `https://service.example/items/${id}`,
      original: `https://example.org/${id}`,
      ...(typeof story === 'string' && { story: `https://service.example/stories/${encodeURIComponent(story)}` }),
    },
    sourceCount: 3,
    signalCount: 12,
    participantCount: null,
    sourceNames: ['A source', 'Another'],
    latestAt: '2026-03-18T06:00:00Z',
    ...fields,
  };
}

export function report(id: string, fields: Fields = {}): Fields {
  return {
    id,
    title: `Report ${id}`,
    summary: null,
    source: { name: 'A source', firstParty: false },
    publishedAt: '2026-03-18T05:00:00Z',
    links: { aihot: `https://service.example/items/${id}`, original: `https://example.org/${id}` },
    ...fields,
  };
}

export function neighbor(publicId: string, fields: Fields = {}): Fields {
  return {
    publicId,
    title: `Story ${publicId}`,
    relation: 'related',
    links: { aihot: `https://service.example/stories/${publicId}`, api: `/api/v1/stories/${publicId}` },
    ...fields,
  };
}

function bareStory(publicId: string): Fields {
  return {
    publicId,
    title: `Story ${publicId}`,
    status: 'active',
    sourceCount: 2,
    reportCount: 1,
    firstReportAt: '2026-03-18T05:00:00Z',
    latestAt: '2026-03-18T05:00:00Z',
    latest: 'What is newest.',
    digest: 'What is **known**.',
    digestUpdatedAt: '2026-03-18T05:01:00Z',
    links: { aihot: `https://service.example/stories/${publicId}` },
    reports: [report(`${publicId}-1`)],
    storyline: [],
    related: [],
  };
}
