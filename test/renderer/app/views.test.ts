import { beforeEach, describe, expect, it } from 'vitest';
import type { Desks } from '../../../src-renderer/app/views.svelte.ts';
import { Reader } from '../../../src-renderer/app/app-state.svelte.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { MemoryWire } from '../support/memory-wire.ts';
import { settle } from '../support/settle.ts';

const NOW = Date.now();

let wire: MemoryWire;
let reader: Reader;
let desks: Desks;

beforeEach(async () => {
  wire = new MemoryWire(
    Array.from({ length: 10 }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: true })),
    NOW,
  );
  reader = new Reader(wire);
  await reader.load();
  desks = reader.desks;
});

const calls = (method: string): unknown[] =>
  wire.calls.filter((call) => call.method === method).map(({ args }) => args);

describe('the desks', () => {
  it('keep what each of them shows while another is shown', async () => {
    reader.showDesk('stories');
    await desks.stories.open('story-2');
    reader.showDesk('archive');
    await settle();
    desks.archive.turnMonth(-1);
    const { month } = desks.archive;
    reader.show({ kind: 'selected' });
    reader.showDesk('stories');
    expect(desks.stories.trail.story?.publicId).toBe('story-2');
    reader.showDesk('archive');
    expect(desks.archive.month).toBe(month);
  });

  it('leave the feed as it was for the way back', async () => {
    reader.search('harbor');
    await settle();
    reader.showDesk('hotTopics');
    reader.show({ kind: 'selected' });
    expect(reader.list.query.text).toBe('harbor');
  });

  it('tell the core what is looked at, and when nothing is', () => {
    const minute = 60_000;
    desks.attend(true, 0);
    reader.showDesk('hotTopics');
    desks.attend(true, 0);
    desks.attend(true, minute);
    desks.attend(false, minute);
    desks.attend(false, 9 * minute);
    desks.attend(true, 9 * minute);
    reader.showDesk('archive');
    desks.attend(true, 9 * minute);
    expect(calls('sync.attend')).toEqual(['items', 'hotTopics', null, 'hotTopics', null].map((to) => ({ to })));
  });

  it('say again what is looked at while it goes on', () => {
    reader.showDesk('stories');
    for (let minutes = 0; minutes <= 10; minutes += 1) desks.attend(true, minutes * 60_000);
    expect(calls('sync.attend')).toEqual(['stories', 'stories', 'stories'].map((to) => ({ to })));
  });

  it('close what is open of a service that was left', async () => {
    reader.showDesk('hotTopics');
    await settle();
    await desks.hotTopics.open(desks.hotTopics.ranking.value!.topics[0]!);
    wire.setStatus({ source: { address: 'https://other.example', demo: false, from: 'settings' } });
    await settle();
    expect(desks.hotTopics.opened).toBe(false);
  });

  it('are gone through by the same keys as the feed', async () => {
    reader.showDesk('hotTopics');
    await settle();
    reader.step(1);
    reader.step(1);
    expect(desks.hotTopics.topic?.rank).toBe(2);
    reader.openOriginal();
    expect(calls('links.open')).toEqual([{ url: 'https://news.example/1' }]);
  });
});

describe('hot topics', () => {
  beforeEach(async () => {
    reader.showDesk('hotTopics');
    await settle();
  });

  it('count a topic as read once it was opened', async () => {
    const { hotTopics } = desks;
    await hotTopics.open(hotTopics.ranking.value!.topics[0]!);
    await settle();
    expect(hotTopics.item?.id).toBe('item-0');
    expect(hotTopics.ranking.value?.topics[0]?.readAt).not.toBeNull();
    expect(wire.rows[0]?.state.readAt).not.toBeNull();
  });

  it('show the open topic as the next ranking has it, and as it last stood when it left', async () => {
    const { hotTopics } = desks;
    await hotTopics.open(hotTopics.ranking.value!.topics[1]!);
    const [first, second, ...rest] = wire.desks.ranking.topics;
    wire.desks.ranking = { ...wire.desks.ranking, topics: [{ ...second!, rank: 1 }, ...rest] };
    wire.emit('hotTopics.changed', {});
    await settle();
    expect(hotTopics.topic?.rank).toBe(1);
    wire.desks.ranking = { ...wire.desks.ranking, topics: [first!] };
    wire.emit('hotTopics.changed', {});
    await settle();
    expect([hotTopics.topic?.rank, hotTopics.ranked]).toEqual([1, false]);
  });

  it('go back from a story to the topic, then to the ranking', async () => {
    const { hotTopics } = desks;
    await hotTopics.open(hotTopics.ranking.value!.topics[0]!);
    await hotTopics.trail.open('story-0');
    await hotTopics.trail.follow('story-1');
    expect([desks.back(), hotTopics.trail.id]).toEqual([false, 'story-0']);
    expect([desks.back(), hotTopics.trail.id]).toEqual([false, null]);
    expect([desks.back(), hotTopics.opened]).toEqual([true, false]);
  });

  it('keep the last ranking when a new one can not be read', async () => {
    wire.failing.set('hotTopics.list', { code: 'unreachable', message: '', retryable: true });
    await desks.hotTopics.load();
    expect(desks.hotTopics.ranking.value?.topics).toHaveLength(7);
    expect(desks.hotTopics.ranking.failure?.code).toBe('unreachable');
  });
});

describe('a story', () => {
  const story = () => desks.stories.trail.story;

  it('is there as it is stored before the service has answered', async () => {
    const opened = desks.stories.open('story-0');
    await settle();
    await opened;
    const asked = wire.calls.map(({ method }) => method).filter((method) => method.startsWith('stories.'));
    expect(asked.indexOf('stories.get')).toBeLessThan(asked.indexOf('stories.open'));
    expect(story()?.publicId).toBe('story-0');
  });

  it('stays as it is stored when the service can not be asked', async () => {
    wire.failing.set('stories.open', { code: 'timeout', message: '', retryable: true });
    await desks.stories.open('story-0');
    expect(story()?.publicId).toBe('story-0');
    expect(desks.stories.trail.reading.failure?.code).toBe('timeout');
  });

  it('that nothing is stored of is no longer available', async () => {
    await desks.stories.open('story-99');
    expect([story(), desks.stories.trail.reading.failure?.code]).toEqual([null, 'not_found']);
  });

  it('that was merged is the survivor, and says so', async () => {
    wire.desks.aliases.set('story-old', 'story-1');
    await desks.stories.open('story-old');
    expect([story()?.publicId, desks.stories.trail.merged]).toEqual(['story-1', true]);
    await desks.stories.open('story-1');
    expect(desks.stories.trail.merged).toBe(false);
  });

  it('keeps its new marks while it is read, and has none at the next look', async () => {
    const fresh = { reportIds: ['story-0-report-0'], digest: true };
    wire.desks.stories.set('story-0', { ...wire.desks.story('story-0'), fresh });
    await desks.stories.open('story-0');
    expect(desks.stories.trail.fresh).toEqual(fresh);
    wire.emit('stories.changed', { publicIds: ['story-0'] });
    await settle();
    expect(desks.stories.trail.fresh).toEqual(fresh);
    await desks.stories.open('story-0');
    expect(desks.stories.trail.fresh).toEqual({ reportIds: [], digest: false });
  });

  it('is followed and starred at once, and goes back when that could not be kept', async () => {
    reader.showDesk('stories');
    await desks.stories.open('story-0');
    reader.toggleFollow();
    expect(story()?.followedAt).not.toBeNull();
    await settle();
    expect(wire.desks.story('story-0').followedAt).not.toBeNull();
    wire.failing.set('stories.star', { code: 'disk_full', message: '', retryable: true });
    reader.toggleStar();
    expect(story()?.starredAt).not.toBeNull();
    await settle();
    expect(story()?.starredAt).toBeNull();
    expect(reader.notes.note?.tone).toBe('problem');
  });

  it('of another list is not shown under it: the counts of followed stories follow the news', async () => {
    const followed = { followedAt: 'x', fresh: { reportIds: ['story-3-report-0'], digest: false } };
    wire.desks.stories.set('story-3', { ...wire.desks.story('story-3'), ...followed });
    wire.emit('stories.changed', { publicIds: ['story-3'] });
    await settle();
    expect(desks.stories.news).toBe(1);
    await desks.stories.load('followed');
    expect(desks.stories.lines.map(({ publicId }) => publicId)).toEqual(['story-3']);
    await desks.stories.open('story-3');
    expect(desks.stories.news).toBe(0);
  });
});
