import { PURPOSE, Dice, drawId } from './dice.ts';
import { arcOf } from './content/facts.ts';
import type { DemoRecord } from './record.ts';
import type { World } from './world.ts';

/** Fewer reports than this are no story yet. */
const REPORTS_A_STORY = 3;

/** An event that several items report on. */
export interface Story {
  publicId: string;
  event: number;
  /** Public reports, oldest first. */
  reports: DemoRecord[];
}

/** The story of an event at a moment, or null while it is none. `at` in milliseconds since 1970. */
export function storyOf(world: World, event: number, at = Infinity): Story | null {
  const reports = world.shelf.reports(event).filter((record) => record.discoveredAt <= at);
  return reports.length < REPORTS_A_STORY ? null : { publicId: publicIdOf(world, event), event, reports };
}

function publicIdOf(world: World, event: number): string {
  return `s${drawId(world.seed, event, PURPOSE.story)}`;
}

/** The id of a story that was merged into this one, for one event in six. Older pages still link to it. */
export function mergedIdOf(world: World, event: number): string | null {
  const merged = new Dice(world.seed, PURPOSE.story, event).chance(1 / 6);
  return merged ? `s${drawId(world.seed, event, PURPOSE.story, 1)}` : null;
}

/** What an id stands for: a story, a merged story's survivor, or nothing. */
export function findStory(world: World, publicId: string): { story: Story; merged: boolean } | null {
  for (const event of world.shelf.events()) {
    const merged = mergedIdOf(world, event) === publicId;
    if (!merged && publicIdOf(world, event) !== publicId) continue;
    const story = storyOf(world, event);
    return story && { story, merged };
  }
  return null;
}

/** Other stories of the same arc, oldest first. */
export function storylineOf(world: World, { event }: Story): Story[] {
  return neighbours(world, event, (other) => arcOf(other) === arcOf(event));
}

/** A few stories of the same category from the days around. */
export function relatedTo(world: World, { event, reports }: Story): Story[] {
  const category = reports[0]?.category;
  const near = neighbours(world, event, (other) => arcOf(other) !== arcOf(event));
  return near.filter((other) => other.reports[0]?.category === category).slice(-3);
}

function neighbours(world: World, event: number, wanted: (event: number) => boolean): Story[] {
  const near = world.shelf
    .events()
    .filter((other) => other !== event && Math.abs(other - event) <= 24 && wanted(other));
  return near
    .sort((a, b) => a - b)
    .map((other) => storyOf(world, other))
    .filter((story) => story !== null);
}
