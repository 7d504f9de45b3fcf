import { iso } from '../iso.ts';
import { PURPOSE, SeededRandom } from '../random.ts';
import { json, type ApiResponse } from '../http/response.ts';
import { readNoQuery } from '../http/query.ts';
import type { ApiRequest } from '../http/router.ts';
import type { DemoRecord } from '../record.ts';
import { storyOf } from '../stories.ts';
import type { DemoState } from '../state.ts';
import { storyPage } from './stories.ts';

const REFRESH = 300_000;
const REACH = 48 * 3_600_000;
const HALF_LIFE = 9 * 3_600_000;
const RANKS = 10;

interface Topic {
  /** Oldest first. */
  items: DemoRecord[];
  heat: number;
}

/** Serves `GET /hot-topics` (document 1 section 4.2). */
export function hotTopics(state: DemoState, request: ApiRequest): ApiResponse {
  readNoQuery(request.search);
  // Counted from the oldest content, so that a set of known size is ranked alike at every hour of the day.
  const refreshes = Math.floor((request.now - state.startsAt) / REFRESH);
  const at = state.startsAt + refreshes * REFRESH;
  const ranked = topicsAt(state, at)
    .slice(0, RANKS)
    .map((topic, index) => ({ topic, rank: index + 1 }));
  // In one hour out of four a hidden topic leaves a gap.
  const random = new SeededRandom(state.seed, PURPOSE.ranking, Math.floor((refreshes * REFRESH) / 3_600_000));
  const hidden = random.chance(0.25) ? random.between(1, RANKS) : 0;
  const shown = ranked.filter(({ rank }) => rank !== hidden);
  return json({ count: shown.length, items: shown.map(({ topic, rank }) => view(state, topic, rank, at)) }, 60);
}

function topicsAt(state: DemoState, at: number): Topic[] {
  const groups = new Map<string, DemoRecord[]>();
  for (const record of state.itemIndex.discovered(at - REACH, at + 1)) {
    const key = record.newsEvent === null ? record.id : `event ${record.newsEvent}`;
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  const topics = [...groups.values()].map((items) => ({ items, heat: heatOf(state, items, at) }));
  return topics.sort((a, b) => b.heat - a.heat);
}

function heatOf(state: DemoState, items: DemoRecord[], at: number): number {
  const latest = items.at(-1) as DemoRecord;
  const best = Math.max(...items.map(({ score }) => score));
  const discussion =
    new SeededRandom(state.seed, PURPOSE.ranking, latest.slot, (at - state.startsAt) / REFRESH).next() * 6;
  return (items.length * 9 + best ** 2 / 180 + discussion) * 0.5 ** ((at - latest.discoveredAt) / HALF_LIFE);
}

function view(state: DemoState, { items }: Topic, rank: number, at: number): object {
  const lead = items[0] as DemoRecord;
  const { id, title, source, links } = state.served(lead);
  const story = lead.newsEvent === null ? null : storyOf(state, lead.newsEvent, at);
  const sourceNames = [...new Set(items.map((record) => state.served(record).source.name))];
  const random = new SeededRandom(state.seed, PURPOSE.ranking, lead.slot);
  const signals = random.between(4, 30) * items.length;
  return {
    rank,
    id,
    title,
    source,
    links: { aihot: links.aihot, original: links.original, ...(story && { story: storyPage(state, story.publicId) }) },
    sourceCount: sourceNames.length,
    signalCount: signals,
    participantCount: random.chance(0.8) ? signals * random.between(2, 5) : null,
    sourceNames,
    latestAt: iso((items.at(-1) as DemoRecord).discoveredAt),
  };
}
