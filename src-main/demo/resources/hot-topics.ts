import { z } from 'zod';
import { iso } from '../calendar.ts';
import { PURPOSE, Dice } from '../dice.ts';
import { json } from '../http/answer.ts';
import type { Answer } from '../http/answer.ts';
import { readQuery } from '../http/query.ts';
import type { Asked } from '../http/router.ts';
import type { DemoRecord } from '../record.ts';
import { storyOf } from '../stories.ts';
import type { World } from '../world.ts';
import { storyPage } from './stories.ts';

const REFRESH = 300_000;
const REACH = 48 * 3_600_000;
const HALF_LIFE = 9 * 3_600_000;
const RANKS = 10;

interface Topic {
  /** Oldest first. */
  reports: DemoRecord[];
  heat: number;
}

/** `GET /hot-topics`: the ranking of the latest full five minutes (document 1 section 4.2). */
export function hotTopics(world: World, asked: Asked): Answer {
  readQuery(asked.search, z.strictObject({}));
  const at = Math.floor(asked.now / REFRESH) * REFRESH;
  const ranked = topicsAt(world, at)
    .slice(0, RANKS)
    .map((topic, index) => ({ topic, rank: index + 1 }));
  // A topic that may not be shown leaves a gap; in one hour out of four there is one.
  const dice = new Dice(world.seed, PURPOSE.ranking, Math.floor(at / 3_600_000));
  const hidden = dice.chance(0.25) ? dice.between(1, RANKS) : 0;
  const shown = ranked.filter(({ rank }) => rank !== hidden);
  return json({ count: shown.length, items: shown.map(({ topic, rank }) => view(world, topic, rank, at)) }, 60);
}

function topicsAt(world: World, at: number): Topic[] {
  const groups = new Map<string, DemoRecord[]>();
  for (const record of world.shelf.discovered(at - REACH, at + 1)) {
    const key = record.event === null ? record.id : `event ${record.event}`;
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  const topics = [...groups.values()].map((reports) => ({ reports, heat: heatOf(world, reports, at) }));
  return topics.sort((a, b) => b.heat - a.heat);
}

/** Coverage and quality, halved every nine hours, with a little discussion that differs from one ranking to the next. */
function heatOf(world: World, reports: DemoRecord[], at: number): number {
  const latest = reports.at(-1) as DemoRecord;
  const best = Math.max(...reports.map(({ score }) => score));
  const discussion = new Dice(world.seed, PURPOSE.ranking, latest.slot, at / REFRESH).next() * 6;
  return (reports.length * 9 + best ** 2 / 180 + discussion) * 0.5 ** ((at - latest.discoveredAt) / HALF_LIFE);
}

function view(world: World, { reports }: Topic, rank: number, at: number): object {
  const lead = reports[0] as DemoRecord;
  const { id, title, source, links } = world.served(lead);
  const story = lead.event === null ? null : storyOf(world, lead.event, at);
  const sourceNames = [...new Set(reports.map((record) => world.served(record).source.name))];
  const dice = new Dice(world.seed, PURPOSE.ranking, lead.slot);
  const signals = dice.between(4, 30) * reports.length;
  return {
    rank,
    id,
    title,
    source,
    links: { aihot: links.aihot, original: links.original, ...(story && { story: storyPage(story.publicId) }) },
    sourceCount: sourceNames.length,
    signalCount: signals,
    participantCount: dice.chance(0.8) ? signals * dice.between(2, 5) : null,
    sourceNames,
    latestAt: iso((reports.at(-1) as DemoRecord).discoveredAt),
  };
}
