import type { ChildProcess } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { casesOf } from '../../support/proofs.ts';
import { startDemoService, type DemoService } from '../../../src-main/demo/service.ts';
import { openTestEngine } from '../../support/test-engine.ts';
import { fakeClock, type FakeClock } from '../../support/clock.ts';
import { expectSoundFiles, startSync } from '../../support/killed-sync.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { SELECTED, expectEqualSets } from '../../support/selected-set.ts';

/** A moment of a run, as the service sees it. */
interface Moment {
  when: 'asked' | 'answered';
  request: number;
}

const moments = (when: Moment['when'], requests: number[]): Moment[] => requests.map((request) => ({ when, request }));

/** The first run: three pages of the snapshot, the changes, and between them the pages of recent items. */
const OF_A_SNAPSHOT = [...moments('asked', [1, 2, 3, 5, 7, 8]), ...moments('answered', [1, 2, 3, 4, 5, 6])];
/** A later run: four pages of changes, and recent items. */
const OF_CHANGES = [...moments('asked', [1, 2, 3, 5]), ...moments('answered', [1, 2, 3, 4])];

interface Scene {
  service: DemoService;
  clock: FakeClock;
  folder: string;
  /** Runs a process that syncs, and kills it at a moment. Resolves with the signal that ended it. */
  runUntil(moment: Moment): Promise<string | null>;
}

async function openScene(selected: number): Promise<Scene> {
  const clock = fakeClock();
  let child: ChildProcess | null = null;
  let moment: Moment = { when: 'asked', request: 0 };
  const seen = { asked: 0, answered: 0 };
  const see = (what: Moment['when']): void => {
    seen[what] += 1;
    if (what === moment.when && seen[what] === moment.request) child?.kill('SIGKILL');
  };
  const service = await startDemoService({
    clock,
    content: { selected, unselected: 20, days: 30 },
    intercept: (_, response) => {
      // The last byte has been handed to the network: whether the child has read it is left to chance.
      response.once('finish', () => see('answered'));
      see('asked');
      return false;
    },
  });
  onTestFinished(() => service.close());
  const folder = temporaryFolder();

  function runUntil(wanted: Moment): Promise<string | null> {
    moment = wanted;
    Object.assign(seen, { asked: 0, answered: 0 });
    const started = startSync(folder, service.newsAddress);
    child = started.child;
    return started.endedBy;
  }
  return { service, clock, folder, runUntil };
}

/**
 * Expects the killed process to leave sound files, and either a whole set or only items that the list calls selected.
 */
async function expectSoundRemains({ service, clock, folder }: Scene, complete: boolean): Promise<void> {
  const room = openTestEngine({ address: service.newsAddress, clock, folder });
  const status = await room.call('sync.status', {});
  expect(status.storageWarnings).toEqual([]);
  const { rows } = await room.call('items.page', { query: SELECTED, limit: 1 });
  if (status.selectedComplete) expect(rows).toHaveLength(1);
  else
    for (const row of rows)
      expect(row).toMatchObject({ selected: true, inSelectedSet: expect.any(Boolean) as boolean });
  if (complete) expect(status.selectedComplete).toBe(true);

  expect(await room.call('sync.run', { urgency: 'now', resources: ['items', 'selected'] })).toMatchObject({ ok: true });
  await expectEqualSets(room, service.control);
  await room.engine.close();
  expectSoundFiles(folder);
}

describe('a process that is killed', () => {
  it.each(casesOf(OF_A_SNAPSHOT, [9]))(
    'in its first run, when request $request was $when, leaves data that the next one continues from',
    async (moment) => {
      const scene = await openScene(2100);
      expect(await scene.runUntil(moment)).toBe('SIGKILL');
      await expectSoundRemains(scene, false);
    },
  );

  it.each(casesOf(OF_CHANGES, [5]))(
    'in a later run, when request $request was $when, loses neither news nor statuses',
    async (moment) => {
      const scene = await openScene(400);
      const { service, clock, folder } = scene;
      const [first, second, ...rest] = service.control.selectedItems().map(({ id }) => id) as [
        string,
        string,
        ...string[],
      ];
      const before = openTestEngine({ address: service.newsAddress, clock, folder });
      await before.call('sync.run', { urgency: 'now' });
      await before.call('items.mark', { ids: [first], mark: 'read' });
      await before.call('items.mark', { ids: [second], mark: 'star' });
      await before.engine.close();

      for (const id of [first, second, ...rest.slice(0, 300)]) service.control.editItem(id, { title: `Edited ${id}` });
      for (const id of rest.slice(300)) service.control.withdraw(id);
      expect(await scene.runUntil(moment)).toBe('SIGKILL');
      await expectSoundRemains(scene, true);

      const after = openTestEngine({ address: service.newsAddress, clock, folder });
      const { rows } = await after.call('items.page', { query: SELECTED, limit: 500 });
      const stateOf = (id: string) => rows.find((row) => row.id === id)?.state;
      expect(stateOf(first)).toEqual({ readAt: expect.any(String) as string, starredAt: null });
      expect(stateOf(second)).toEqual({ readAt: null, starredAt: expect.any(String) as string });
    },
  );
});
