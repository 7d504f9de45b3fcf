import { describe, expect, it } from 'vitest';
import { EVERYTHING } from '../../support/store.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';
import { expectEqualSets } from '../../support/selected-set.ts';

/** The page token of a snapshot request; null for the first page and for other requests. */
function pageToken(url = ''): string | null {
  return new URL(url, 'http://localhost').searchParams.get('page');
}

/** How many items each write has added. */
function writesOf(app: TestApp): number[] {
  return app.heard('items.changed').flatMap(({ added }) => (added > 0 ? [added] : []));
}

describe('the load of a snapshot', () => {
  it('saves fast pages several at a time, and indexes items once they are shown', async () => {
    const app = await openTestApp({ content: { selected: 5100, days: 30 } });
    await app.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(writesOf(app)).toEqual([5000, 100]);
    await expectEqualSets(app, app.service.control);
    const [some] = app.service.control.selectedItems();
    const query = { ...EVERYTHING, text: `"${some!.title}"` };
    const { rows } = await app.call('items.page', { query, limit: 50 });
    expect(rows.map(({ id }) => id)).toContain(some!.id);
  });

  it('saves slow pages at once', async () => {
    let wait = (): void => undefined;
    const app = await openTestApp({
      content: { selected: 2000, days: 30 },
      intercept: () => {
        wait();
        return false;
      },
    });
    wait = () => app.clock.advance(300);
    await app.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(writesOf(app)).toEqual([1000, 1000]);
  });

  it('saves what came before a failure, and continues there', async () => {
    let broken = true;
    const asked: (string | null)[] = [];
    const app = await openTestApp({
      content: { selected: 3100, days: 30 },
      intercept: (request, response) => {
        if (!request.url?.includes('snapshot')) return false;
        asked.push(pageToken(request.url));
        if (!broken || asked.length < 4) return false;
        response.destroy();
        return true;
      },
    });
    const failed = await app.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(failed.resources.selected).toMatchObject({ status: 'failed', added: 3000 });
    broken = false;
    const refused = asked.at(-1);
    asked.length = 0;
    const done = await app.call('sync.run', { urgency: 'now', resources: ['selected'] });
    expect(done.resources.selected).toMatchObject({ status: 'ok', added: 100 });
    expect(asked[0]).toBe(refused);
    await expectEqualSets(app, app.service.control);
  });
});
