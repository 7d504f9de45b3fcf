import { PURPOSE, SeededRandom, drawId } from './random.ts';
import { arcOf } from './content/subjects.ts';
import type { DemoRecord } from './record.ts';
import type { DemoState } from './state.ts';

const MIN_ITEMS = 3;

export interface Story {
  publicId: string;
  newsEvent: number;
  /** Public, oldest first. */
  items: DemoRecord[];
}

/** Returns null while there are too few items. `at` is in ms since 1970. */
export function storyOf(state: DemoState, newsEvent: number, at = Infinity): Story | null {
  const items = state.itemIndex.about(newsEvent).filter((record) => record.discoveredAt <= at);
  return items.length < MIN_ITEMS ? null : { publicId: publicIdOf(state, newsEvent), newsEvent, items };
}

function publicIdOf(state: DemoState, newsEvent: number): string {
  return `s${drawId(state.seed, newsEvent, PURPOSE.story)}`;
}

/** Returns the id of a story merged into this one, which older pages still link to, for one event in six. */
export function mergedIdOf(state: DemoState, newsEvent: number): string | null {
  const merged = new SeededRandom(state.seed, PURPOSE.story, newsEvent).chance(1 / 6);
  return merged ? `s${drawId(state.seed, newsEvent, PURPOSE.story, 1)}` : null;
}

/** Finds a story also by the id of one that was merged into it. */
export function findStory(state: DemoState, publicId: string): { story: Story; merged: boolean } | null {
  for (const newsEvent of state.itemIndex.newsEvents()) {
    const merged = mergedIdOf(state, newsEvent) === publicId;
    if (!merged && publicIdOf(state, newsEvent) !== publicId) continue;
    const story = storyOf(state, newsEvent);
    return story && { story, merged };
  }
  return null;
}

export function storylineOf(state: DemoState, { newsEvent }: Story): Story[] {
  return neighbours(state, newsEvent, (other) => arcOf(other) === arcOf(newsEvent));
}

export function relatedTo(state: DemoState, { newsEvent, items }: Story): Story[] {
  const category = items[0]?.category;
  const near = neighbours(state, newsEvent, (other) => arcOf(other) !== arcOf(newsEvent));
  return near.filter((other) => other.items[0]?.category === category).slice(-3);
}

function neighbours(state: DemoState, newsEvent: number, isWanted: (newsEvent: number) => boolean): Story[] {
  return state.itemIndex
    .newsEvents()
    .filter((other) => other !== newsEvent && Math.abs(other - newsEvent) <= 24 && isWanted(other))
    .sort((a, b) => a - b)
    .map((other) => storyOf(state, other))
    .filter((story) => story !== null);
}
