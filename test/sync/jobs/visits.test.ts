import { describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../support/test-app.ts';

const MINUTE = 60_000;
const NO_ITEMS = { added: 0, older: 0, revised: 0 };
const NOTHING = { ...NO_ITEMS, withdrawn: 0, selected: NO_ITEMS };
const sync = ({ call }: TestApp, resources: ('items' | 'selected')[] = ['items', 'selected']) =>
  call('sync.run', { urgency: 'now', resources });

describe('what is new since the last visit', () => {
  it('starts counting after the first complete sync, which is not new itself', async () => {
    const app = await openTestApp();
    expect(await app.call('visits.sinceLast', {})).toEqual({
      since: null,
      newestKey: null,
      ...NOTHING,
    });
    await sync(app);
    const since = new Date(app.clock.now()).toISOString();
    const query = { scope: 'all', window: 'any', state: 'any' } as const;
    const [newestKey] = (await app.call('items.places', { query, limit: 1 })).places;
    const nothing = { since, newestKey, ...NOTHING };
    expect(await app.call('visits.sinceLast', {})).toEqual(nothing);
    expect(app.heard('visits.changed')).toEqual([nothing]);
  });

  it('counts older items apart, in the result of the sync too', async () => {
    const app = await openTestApp();
    const first = await sync(app);
    expect(first.resources).toMatchObject({ selected: { older: 0 }, items: { older: 0 } });
    app.clock.advance(MINUTE);
    const { control } = app.service;
    const now = app.clock.now();
    const longAgo = new Date(now - 30 * 24 * 60 * MINUTE).toISOString();
    for (let n = 0; n < 5; n += 1) control.addItem({ publishedAt: longAgo });
    for (let n = 0; n < 2; n += 1) control.addItem({ publishedAt: longAgo, selected: false });
    control.addItem();
    const { resources } = await sync(app);
    expect(resources).toMatchObject({ selected: { added: 6, older: 5 }, items: { added: 2, older: 2 } });
    expect(await app.call('visits.sinceLast', {})).toMatchObject({ added: 1, older: 7 });
  });

  it('starts counting when both the selected set and the list are complete', async () => {
    const app = await openTestApp();
    await sync(app, ['selected']);
    expect(await app.call('visits.sinceLast', {})).toMatchObject({ since: null });
    expect(await app.call('visits.end', {})).toMatchObject({ since: null, added: 0 });
    await sync(app, ['items']);
    expect(await app.call('visits.sinceLast', {})).toMatchObject({ added: 0 });
    expect((await app.call('visits.sinceLast', {})).since).not.toBeNull();
  });
});
