import { z } from 'zod';
import { iso } from '../calendar.ts';
import { digestOf } from '../content/digest.ts';
import { PAGES, isFirstParty } from '../content/writing.ts';
import { json } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import { Problem } from '../http/problem.ts';
import { readQuery } from '../http/query.ts';
import type { Asked } from '../http/router.ts';
import type { DemoRecord } from '../record.ts';
import { findStory, mergedIdOf, relatedTo, storylineOf } from '../stories.ts';
import type { Story } from '../stories.ts';
import type { World } from '../world.ts';

const LONGEST_ID = 128;
const SETTLED_AFTER = 36 * 3_600_000;

/** `GET /stories/{publicId}` (document 1 section 4.3). Errors: `not_found`, `invalid_request` for an id that is too long. */
export function story(world: World, asked: Asked): Answer {
  readQuery(asked.search, z.strictObject({}));
  const [publicId = ''] = asked.captured;
  if (publicId.length > LONGEST_ID)
    throw new Problem('invalid_request', `publicId has more than ${LONGEST_ID} characters.`);
  const found = findStory(world, publicId);
  if (!found) throw new Problem('not_found', 'There is no such story.');
  if (found.merged) return { status: 308, headers: { location: `/api/v1/stories/${found.story.publicId}` }, body: '' };
  return json({ story: view(world, found.story, asked) }, 60);
}

export function storyPage(publicId: string): string {
  return `${PAGES}/stories/${publicId}`;
}

function view(world: World, found: Story, asked: Asked): object {
  const { publicId, event, reports } = found;
  const newestFirst = reports.toSorted((a, b) => (b.publishedAt ?? b.discoveredAt) - (a.publishedAt ?? a.discoveredAt));
  const [latest, first] = [reports.at(-1) as DemoRecord, reports[0] as DemoRecord];
  const digest = digestOf(world.seed, event, latest.category, reports.length);
  return {
    publicId,
    title: world.served(first).title,
    status: asked.now - latest.discoveredAt > SETTLED_AFTER ? 'settled' : 'active',
    sourceCount: new Set(reports.map((record) => world.served(record).source.name)).size,
    reportCount: reports.length,
    firstReportAt: iso(first.discoveredAt),
    latestAt: iso(latest.discoveredAt),
    latest: world.served(latest).summary ?? world.served(latest).title,
    digest,
    digestUpdatedAt: digest === null ? null : iso(latest.discoveredAt + 60_000),
    links: { aihot: storyPage(publicId) },
    reports: newestFirst.map((record) => report(world, record)),
    storyline: storylineOf(world, found).map((other) =>
      neighbour(world, other, other.event < event ? 'earlier' : 'later', asked),
    ),
    related: relatedTo(world, found).map((other) => neighbour(world, other, 'related', asked)),
  };
}

function report(world: World, record: DemoRecord): object {
  const { id, title, summary, source, publishedAt, discoveredAt, links } = world.served(record);
  return {
    id,
    title,
    summary,
    source: { ...source, firstParty: isFirstParty(world.seed, record) },
    publishedAt: publishedAt ?? discoveredAt,
    links,
  };
}

/** Links were written when the neighbour was looked at: some still carry an id that has been merged since. */
function neighbour(world: World, other: Story, relation: string, asked: Asked): object {
  const publicId = mergedIdOf(world, other.event) ?? other.publicId;
  const title = world.served(other.reports[0] as DemoRecord).title;
  return {
    publicId,
    title,
    relation,
    links: { aihot: storyPage(publicId), api: `${asked.origin}/api/v1/stories/${publicId}` },
  };
}
