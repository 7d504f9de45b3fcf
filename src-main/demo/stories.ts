import { PURPOSE, SeededRandom, drawId } from './random.ts';
import { arcOf } from './content/subjects.ts';
import type { DemoRecord } from './record.ts';
import type { DemoState } from './state.ts';

/** Fewer reports than this are no story yet. */
const REPORTS_A_STORY = 3;

/** An news event that several items report on. */
export interface Story {
  publicId: string;
  newsEvent: number;
  /** Public reports, oldest first. */
  reports: DemoRecord[];
}

/** The story of a news event at a moment, or null while it is none. `at` in milliseconds since 1970. */
export function storyOf(state: DemoState, newsEvent: number, at = Infinity): Story | null {
  const reports = state.itemIndex.reports(newsEvent).filter((record) => record.discoveredAt <= at);
  return reports.length < REPORTS_A_STORY ? null : { publicId: publicIdOf(state, newsEvent), newsEvent, reports };
}

function publicIdOf(state: DemoState, newsEvent: number): string {
  return `s${drawId(state.seed, newsEvent, PURPOSE.story)}`;
}

/** The id of a story that was merged into this one, for one news event in six. Older pages still link to it. */
export function mergedIdOf(state: DemoState, newsEvent: number): string | null {
  const merged = new SeededRandom(state.seed, PURPOSE.story, newsEvent).chance(1 / 6);
  return merged ? `s${drawId(state.seed, newsEvent, PURPOSE.story, 1)}` : null;
}

/** What an id stands for: a story, a merged story's survivor, or nothing. */
export function findStory(state: DemoState, publicId: string): { story: Story; merged: boolean } | null {
  for (const newsEvent of state.itemIndex.events()) {
    const merged = mergedIdOf(state, newsEvent) === publicId;
    if (!merged && publicIdOf(state, newsEvent) !== publicId) continue;
    const story = storyOf(state, newsEvent);
    return story && { story, merged };
  }
  return null;
}

/** Other stories of the same arc, oldest first. */
export function storylineOf(state: DemoState, { newsEvent }: Story): Story[] {
  return neighbours(state, newsEvent, (other) => arcOf(other) === arcOf(newsEvent));
}

/** A few stories of the same category from the days around. */
export function relatedTo(state: DemoState, { newsEvent, reports }: Story): Story[] {
  const category = reports[0]?.category;
  const near = neighbours(state, newsEvent, (other) => arcOf(other) !== arcOf(newsEvent));
  return near.filter((other) => other.reports[0]?.category === category).slice(-3);
}

function neighbours(state: DemoState, newsEvent: number, wanted: (newsEvent: number) => boolean): Story[] {
  const near = state.itemIndex
    .events()
    .filter((other) => other !== newsEvent && Math.abs(other - newsEvent) <= 24 && wanted(other));
  return near
    .sort((a, b) => a - b)
    .map((other) => storyOf(state, other))
    .filter((story) => story !== null);
}
