import type { Coverage, Story } from '../../src-main/contract/model/story.ts';
import type { Store } from '../../src-main/store/index.ts';

/** A report of a story. */
export function report(id: string, original: string | null = null): Coverage {
  return {
    id,
    title: `Report ${id}`,
    summary: null,
    source: { name: null, firstParty: false },
    publishedAt: null,
    links: { aihot: null, original },
    extra: {},
  };
}

/** A story with these reports, newest first. */
export function storyOf(publicId: string, reports: Coverage[], rest: Partial<Story> = {}): Story {
  return {
    publicId,
    title: `Story ${publicId}`,
    status: 'active',
    sourceCount: null,
    reportCount: reports.length,
    firstReportAt: null,
    latestAt: '2026-03-18T05:00:00Z',
    latest: null,
    digest: null,
    digestUpdatedAt: null,
    links: { aihot: null },
    reports,
    storyline: [],
    related: [],
    extra: {},
    ...rest,
  };
}

export function saveStory(store: Store, story: Story): void {
  store.transaction(({ stories, now }) => void stories.store(story, now));
}
