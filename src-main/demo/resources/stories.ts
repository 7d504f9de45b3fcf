import { iso } from '../iso.ts';
import { digestOf } from '../content/story-digest.ts';
import { isFirstParty } from '../content/item-texts.ts';
import { newestFirst, wideCoverage } from '../harsh/coverage.ts';
import { json, type ApiResponse } from '../http/response.ts';
import { Problem } from '../http/problem.ts';
import { readNoQuery } from '../http/query.ts';
import type { ApiRequest } from '../http/router.ts';
import type { DemoRecord } from '../record.ts';
import { findStory, mergedIdOf, relatedTo, storylineOf, type Story } from '../stories.ts';
import type { DemoState } from '../state.ts';

const LONGEST_ID = 128;
const CONCLUDED_AFTER = 36 * 3_600_000;

/** Serves `GET /stories/{publicId}` (document 1 section 4.3). */
export function story(state: DemoState, request: ApiRequest): ApiResponse {
  readNoQuery(request.search);
  const [publicId = ''] = request.captured;
  if (publicId.length > LONGEST_ID)
    throw new Problem('invalid_request', `publicId has more than ${LONGEST_ID} characters.`);
  const found = findStory(state, publicId);
  if (!found) throw new Problem('not_found', 'There is no such story.');
  if (found.merged) return { status: 308, headers: { location: `/api/v1/stories/${found.story.publicId}` }, body: '' };
  return json({ story: view(state, found.story, request) }, 60);
}

export function storyPage({ pages }: DemoState, publicId: string): string {
  return `${pages}/stories/${publicId}`;
}

function view(state: DemoState, found: Story, request: ApiRequest): object {
  const { publicId, newsEvent, items } = found;
  const { listed, count } = state.harsh
    ? wideCoverage(state.seed, found)
    : { listed: newestFirst(items), count: items.length };
  const [latest, first] = [items.at(-1) as DemoRecord, items[0] as DemoRecord];
  const digest = digestOf(state.seed, newsEvent, latest.category, items.length);
  return {
    publicId,
    title: state.served(first).title,
    status: request.now - latest.discoveredAt > CONCLUDED_AFTER ? 'settled' : 'active',
    sourceCount: new Set(listed.map((record) => state.served(record).source.name)).size,
    reportCount: count,
    firstReportAt: iso(first.discoveredAt),
    latestAt: iso(latest.discoveredAt),
    latest: state.served(latest).summary ?? state.served(latest).title,
    digest,
    digestUpdatedAt: digest === null ? null : iso(latest.discoveredAt + 60_000),
    links: { aihot: storyPage(state, publicId) },
    reports: listed.map((record) => report(state, record)),
    storyline: storylineOf(state, found).map((other) =>
      neighbour(state, other, other.newsEvent < newsEvent ? 'earlier' : 'later', request),
    ),
    related: relatedTo(state, found).map((other) => neighbour(state, other, 'related', request)),
  };
}

function report(state: DemoState, record: DemoRecord): object {
  const { id, title, summary, source, publishedAt, discoveredAt, links } = state.served(record);
  return {
    id,
    title,
    summary,
    source: { ...source, firstParty: isFirstParty(state.seed, record) },
    publishedAt: publishedAt ?? discoveredAt,
    links,
  };
}

/** Gives some links the id of a story that has been merged since. */
function neighbour(state: DemoState, other: Story, relation: string, request: ApiRequest): object {
  const publicId = mergedIdOf(state, other.newsEvent) ?? other.publicId;
  const title = state.served(other.items[0] as DemoRecord).title;
  return {
    publicId,
    title,
    relation,
    links: { aihot: storyPage(state, publicId), api: `${request.origin}/api/v1/stories/${publicId}` },
  };
}
