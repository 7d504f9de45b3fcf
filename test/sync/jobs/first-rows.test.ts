import { describe, expect, it } from 'vitest';
import type { ResourceName } from '../../../src-main/contract/model/resource.ts';
import { expectEqualSets, EVERYTHING, rowsOf, SELECTED } from '../../support/selected-set.ts';
import { openTestApp, type TestApp } from '../../support/test-app.ts';

const DAY = 24 * 3_600_000;
const NEWS: ResourceName[] = ['selected', 'items'];

interface Held {
  app: TestApp;
  /** Resolves when the service has got the request for a page of the snapshot that it doesn't answer. */
  held: Promise<void>;
  /** Lets it and all later ones through. */
  release(): void;
}

/** A service whose snapshot, in order of the ids, stops after its first page. */
async function slowService(): Promise<Held> {
  let isHeld = true;
  let arrived = (): void => undefined;
  const held = new Promise<void>((resolve) => (arrived = resolve));
  let waiting: (() => void)[] = [];
  const app = await openTestApp({
    content: { selected: 1_100, unselected: 40, days: 60 },
    intercept: (request, response) => {
      if (!isHeld || !/snapshot.*page=/.test(request.url ?? '')) return false;
      // Cut off when it is released: the client asks again.
      waiting.push(() => response.destroy());
      arrived();
      return true;
    },
  });
  const release = (): void => {
    isHeld = false;
    for (const end of waiting) end();
    waiting = [];
  };
  return { app, held, release };
}

describe('a first download from a slow service', () => {
  it('shows the newest selected items while the snapshot is on its way, and the set when it is there', async () => {
    const { app, held, release } = await slowService();
    const syncing = app.call('sync.run', { urgency: 'now', resources: NEWS });
    await held;
    await app.call('sync.run', { urgency: 'now', resources: ['items'] });
    expect(await app.call('sync.status', {})).toMatchObject({ selectedComplete: false });
    const shown = await rowsOf(app, SELECTED);
    const listed = app.service.control
      .allItems()
      .filter(({ selected, discoveredAt }) => selected && Date.parse(discoveredAt) >= app.clock.now() - 7 * DAY);
    expect(shown.length).toBeGreaterThan(5);
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(shown.map(({ id }) => id)));
    // Actions of a reader stay, and items that leave the set meanwhile are in All only.
    const members = new Set(app.service.control.selectedItems().map(({ id }) => id));
    const [read, left] = shown.map(({ id }) => id).filter((id) => members.has(id)) as [string, string];
    await app.call('items.mark', { ids: [read], mark: 'read' });
    app.service.control.leaveSet(left);
    release();
    await syncing;
    app.clock.advance(120_000);
    expect((await app.call('sync.run', { urgency: 'now', resources: NEWS })).resources).toMatchObject({
      selected: { status: expect.not.stringMatching('failed') as string },
    });
    await expectEqualSets(app, app.service.control);
    const selected = await rowsOf(app, SELECTED);
    expect(selected.find(({ id }) => id === read)?.state.readAt).not.toBeNull();
    const all = await rowsOf(app, EVERYTHING);
    expect(all.find(({ id }) => id === left)).toMatchObject({ inSelectedSet: false });
  });
});
