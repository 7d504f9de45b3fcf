import { describe, expect, it } from 'vitest';
import { failureOf, openScene } from '../../support/story-scene.ts';
import { neighbor, report, topic } from '../../support/told-stories.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('a story (document 1 section 4.3)', () => {
  // Holds: news-2-story-storyline, news-2-story-related, news-4.3-body
  it('is saved field by field, unknown fields included', async () => {
    const { app, told, sync } = await openScene(['s']);
    const newer = report('r2', { source: { name: 'B', firstParty: true, tier: 1 } });
    const older = report('r1', { publishedAt: '2026-03-17T06:00:00Z', summary: 'A summary' });
    const served = told.tell('s', {
      reports: [newer, { ...older, confidence: 0.5 }],
      storyline: [neighbor('before', { relation: 'earlier', weight: 3 })],
      related: [neighbor('beside')],
      mood: { calm: true },
    });
    expect(await sync()).toMatchObject({ status: 'ok', requests: 1, added: 1, skipped: 0 });
    const { mood, ...known } = served;
    const extra = {};
    const notHere = { itemId: null, effectiveAt: null, readAt: null };
    expect(await app.call('stories.get', { publicId: 's' })).toEqual({
      ...known,
      reports: [
        { ...newer, ...notHere, extra },
        { ...older, ...notHere, extra: { confidence: 0.5 } },
      ],
      storyline: [{ ...neighbor('before', { relation: 'earlier' }), extra: { weight: 3 } }],
      related: [{ ...neighbor('beside'), extra }],
      extra: { mood },
      fetchedAt: new Date(app.clock.now()).toISOString(),
      goneAt: null,
      followedAt: null,
      starredAt: null,
      fresh: { reportIds: [], digest: false },
    });
  });

  // Holds: news-2-story-timeline
  it('shows its reports newest first, in whatever order they are sent', async () => {
    const { told, sync, open } = await openScene(['s']);
    const at = (id: string, publishedAt: string | null) => report(id, { publishedAt });
    told.tell('s', { reports: [at('b', '2026-03-17T00:00:00Z'), at('d', null), at('a', '2026-03-18T00:00:00+08:00')] });
    await sync();
    expect((await open('s')).reports.map(({ id }) => id)).toEqual(['a', 'b', 'd']);
  });

  it('loses only the unreadable report or neighbour', async () => {
    const { told, sync, open } = await openScene(['s']);
    told.tell('s', {
      reports: [null, { id: 'no-title' }, report('r1'), 7],
      storyline: [neighbor('x'.repeat(129)), neighbor(''), neighbor('fine')],
      related: 'not a list',
      status: 'dormant',
      digest: 7,
      links: null,
    });
    expect(await sync()).toMatchObject({ status: 'ok', added: 1, skipped: 5, unreadableFields: 2 });
    const story = await open('s');
    expect(story.reports.map(({ id }) => id)).toEqual(['r1']);
    expect(story.storyline.map(({ publicId }) => publicId)).toEqual(['fine']);
    expect(story).toMatchObject({ related: [], digest: null, links: { aihot: null }, status: 'dormant' });
  });

  // Holds: news-4.3-path, news-4.3-public-id-length, news-8-public-id
  it('is fetched by its percent-encoded id, of 1 to 128 characters', async () => {
    const ids = ['a b/c?d#e', '推理', 'x'.repeat(128), '100%'];
    const { sync, asked, app } = await openScene([...ids, 'y'.repeat(129)]);
    expect(await sync()).toMatchObject({ status: 'ok', requests: 4, added: 4 });
    expect(asked().sort()).toEqual(ids.map(encodeURIComponent).sort());
    expect((await app.call('stories.list', { which: 'all' })).stories.map(({ hot }) => hot)).toEqual(
      ids.map(() => true),
    );
  });
});

describe('saved stories', () => {
  it('are not revised if only the address of the API changed', async () => {
    const { told, sync } = await openScene(['a']);
    const at = (port: number) => [neighbor('b', { links: { aihot: null, api: `http://127.0.0.1:${port}/b` } })];
    told.tell('a', { related: at(1) });
    await sync();
    told.tell('a', { related: at(2) });
    expect(await sync()).toMatchObject({ status: 'notModified', requests: 1, revised: 0 });
    told.tell('a', { storyline: at(2), related: [] });
    expect(await sync()).toMatchObject({ revised: 1 });
  });
  it('are fetched at most hourly once they are concluded, except by the user', async () => {
    const { told, sync, app } = await openScene(['a']);
    told.tell('a', { status: 'settled' });
    await sync('due');
    app.clock.advance(59 * MINUTE);
    expect(await sync('due')).toMatchObject({ requests: 0 });
    expect(await sync('permitted')).toMatchObject({ requests: 1 });
    app.clock.advance(61 * MINUTE);
    expect(await sync('due')).toMatchObject({ requests: 1 });
  });

  it('are at most twenty per sync, the least recently fetched first', async () => {
    const tens = [0, 1, 2].map((ten) => Array.from({ length: 10 }, (_, index) => `s${ten}${index}`));
    const { told, sync, asked, app } = await openScene([]);
    for (const ten of tens) {
      app.clock.advance(HOUR);
      for (const publicId of ten) told.tell(publicId);
      told.rank(ten.map((story, index) => topic(index + 1, story, { story })));
      await sync();
      for (const publicId of ten) await app.call('stories.follow', { publicId, follow: true });
    }
    app.clock.advance(HOUR);
    asked();
    await sync();
    const first = asked();
    expect(first).toHaveLength(20);
    await sync();
    expect(new Set([...first, ...asked()])).toEqual(new Set(tens.flat()));
  });

  it('are deleted 30 days after their fetch unless followed, starred or ranked', async () => {
    const { app, told, sync, open } = await openScene(['hot', 'followed', 'starred', 'plain']);
    await sync();
    await app.call('stories.follow', { publicId: 'followed', follow: true });
    await app.call('stories.star', { publicId: 'starred', star: true });
    told.rank([topic(1, 'x', { story: 'hot' })]);
    app.clock.advance(30 * DAY);
    await sync();
    expect(await open('plain')).toMatchObject({ publicId: 'plain' });
    app.clock.advance(30 * DAY + 1);
    told.refuse({ status: 503 });
    await sync();
    told.refuse(null);
    await sync();
    const { stories } = await app.call('stories.list', { which: 'all' });
    expect(stories.map(({ publicId }) => publicId).sort()).toEqual(['followed', 'hot', 'starred']);
  });
});

describe('opening a story', () => {
  // Holds: news-2-story-storyline, news-2-story-related, news-4.3-id-from-story
  it('fetches one that the service listed as a neighbour, and shows it', async () => {
    const { told, sync, open, asked } = await openScene(['a']);
    told.tell('a', { storyline: [neighbor('line')], related: [neighbor('rel')] });
    told.tell('line');
    told.tell('rel', { related: [neighbor('further')] });
    told.tell('further');
    await sync();
    asked();
    for (const id of ['line', 'rel', 'further']) expect(await open(id)).toMatchObject({ publicId: id });
    expect(asked()).toEqual(['line', 'rel', 'further']);
  });

  // Holds: news-4.3-public-id-returned
  it('never fetches an id that did not come from the service', async () => {
    const { told, sync, open, asked, app } = await openScene(['a']);
    told.tell('guessed');
    await sync();
    asked();
    expect(await failureOf(open('guessed'))).toBe('not_found');
    expect(await failureOf(app.call('stories.follow', { publicId: 'guessed', follow: true }))).toBe('not_found');
    expect(await failureOf(app.call('stories.star', { publicId: 'guessed', star: true }))).toBe('not_found');
    expect(asked()).toEqual([]);
  });

  it('sends no request within the lifetime of the saved copy', async () => {
    const { sync, open, asked, app } = await openScene(['a']);
    await sync();
    asked();
    await open('a');
    app.clock.advance(MINUTE);
    await open('a');
    await open('a');
    expect(asked()).toEqual(['a']);
  });

  it('that fails with a Retry-After while the service is not busy delays no other one', async () => {
    const { app, told, sync, open, asked } = await openScene(['a']);
    told.tell('a', { related: [neighbor('b')] });
    await sync();
    told.refuse({ status: 500, retryAfter: 3600 });
    await failureOf(open('b'));
    told.refuse(null);
    app.clock.advance(10 * MINUTE);
    asked();
    await open('a');
    expect(asked()).toEqual(['a']);
  });

  it('that is not saved fails with the error of the service', async () => {
    const { told, sync, open } = await openScene(['a']);
    told.tell('a', { related: [neighbor('b')] });
    await sync();
    told.refuse({ status: 503 });
    expect(await failureOf(open('b'))).toBe('temporarily_unavailable');
  });
});
