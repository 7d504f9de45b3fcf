import { expect, it } from 'vitest';
import type { Story } from '../../../src-main/contract/model/story.ts';
import { report, saveStory, storyOf } from '../../support/stories.ts';
import { databaseOf, openStoreScene } from '../internals.ts';

const TOLD = { sourceCount: 3, latest: '最新进展', digest: 'A digest.' };
const story = (publicId: string, rest: Partial<Story> = {}): Story =>
  storyOf(publicId, [report(`${publicId}-1`), report(`${publicId}-2`)], { ...TOLD, ...rest });

it('lists stories without reading their texts', () => {
  const { store, queries, clock } = openStoreScene();
  saveStory(store, story('a', { latestAt: 'not a time', sourceCount: 2.5, latest: null }));
  saveStory(store, story('b'));
  saveStory(store, story('c', { latestAt: '2026-03-18T06:00:00Z', status: 'settled' }));
  store.transaction(({ documents, storyStatuses, now }) => {
    storyStatuses.follow('b', true, queries.stories.record('b')?.story ?? null, now);
    documents.setGone('story', 'c', now);
    documents.setGone('story', 'never-seen', now);
  });
  saveStory(store, story('b', { title: 'Renamed', reports: [...story('b').reports, ...story('x').reports] }));
  const now = new Date(clock.now()).toISOString();
  const lines = queries.stories.list('all');
  expect(lines).toMatchObject([
    { publicId: 'c', status: 'settled', goneAt: now, followedAt: null, freshReports: 0 },
    { publicId: 'b', title: 'Renamed', latest: '最新进展', followedAt: now, freshReports: 2, sourceCount: 3 },
    { publicId: 'a', latest: null, latestAt: 'not a time', sourceCount: 2.5, goneAt: null, hot: false },
  ]);
  expect(queries.health.countRows('stories')).toBe(3);
  // A list of a thousand stories took 190 ms while it parsed the bodies.
  databaseOf(store).exec("UPDATE document SET body = 'unreadable' WHERE body IS NOT NULL");
  expect(queries.stories.list('all')).toEqual(lines);
});
