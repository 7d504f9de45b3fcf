import { describe, expect, it } from 'vitest';
import { failureOf, openScene } from '../../support/story-scene.ts';
import { neighbor } from '../../support/told-stories.ts';

const MINUTE = 60_000;

describe('opening a story', { timeout: 60_000 }, () => {
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

  it('that is not saved fails with the error of the service', async () => {
    const { told, sync, open } = await openScene(['a']);
    told.tell('a', { related: [neighbor('b')] });
    await sync();
    told.refuse({ status: 503 });
    expect(await failureOf(open('b'))).toBe('temporarily_unavailable');
  });
});
