import { cpSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DemoOptions } from '../../../src-main/demo/service.ts';
import { temporaryFolder } from '../../support/folders.ts';
import {
  MINUTE,
  HOUR,
  type Scene,
  openSettled,
  passDays,
  history,
  labelsOf,
  daily,
} from '../../support/notification-scene.ts';
import { casesOf } from '../../support/proofs.ts';
import { removeMirror, write } from '../../support/store.ts';

describe('a label in the far future', () => {
  /** As an earlier version would have left it: listed, and taken for the newest. */
  function mislead({ room }: Scene, label: string): void {
    const mirror = room.queries.mirror.get('source') ?? '';
    write(room.engine.store, ({ reports, notifications }) => {
      reports.list([
        {
          ...{ kind: 'daily', label, generatedAt: null, periodStart: null, periodEnd: null, headline: null },
          ...{ overview: null, links: { aihot: null }, attribution: null, extra: {} },
        },
      ]);
      notifications.setProgress(mirror, 'daily', label);
    });
  }

  it.each(casesOf([['9999-12-31'], ['2026-13-45'], ['2026-12-31']], [1]))(
    '%s, saved earlier, silences nothing',
    async (label) => {
      const scene = await openSettled();
      mislead(scene, label);
      await scene.reopen();
      passDays(scene);
      await scene.sync();
      expect(scene.told().map(labelsOf)).toEqual([['daily 2026-03-19']]);
      passDays(scene);
      await scene.sync();
      expect(scene.told().map(labelsOf)).toEqual([['daily 2026-03-20']]);
    },
  );
});

describe('a new daily', () => {
  it('is notified once, with headline and target, and stays in the history', async () => {
    const scene = await openSettled();
    passDays(scene);
    await scene.sync();
    const [line] = scene.room.queries.reports.index('daily');
    const at = new Date(scene.clock.now()).toISOString();
    const notification = {
      id: 1,
      kind: 'daily',
      at,
      title: line?.headline ?? '',
      label: '2026-03-19',
      count: 1,
      target: daily('2026-03-19'),
      toldAt: at,
    };
    expect(notification.title).not.toBe('');
    expect(scene.told()).toEqual([{ notifications: [notification], target: daily('2026-03-19'), catchUp: false }]);
    expect(history(scene)).toEqual([notification]);
    for (let again = 0; again < 3; again += 1) await scene.sync();
    expect(scene.told()).toEqual([]);
  });

  it('is not notified again after a restart or a rebuild of the mirror', async () => {
    const scene = await openSettled();
    passDays(scene);
    await scene.sync();
    expect(scene.told()).toHaveLength(1);
    await scene.reopen();
    await scene.sync();
    expect(scene.told()).toEqual([]);

    await scene.room.engine.close();
    removeMirror(scene.folder);
    await scene.reopen();
    await scene.sync();
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toMatchObject([{ label: '2026-03-19', title: expect.stringMatching(/./) as string }]);
  });

  it('is saved as shown before it is raised: a crash in between raises it never, one before raises it once', async () => {
    const scene = await openSettled();
    const [before, after] = [temporaryFolder(), temporaryFolder()];
    passDays(scene);
    const { events } = scene.room;
    // As a machine that loses its power would leave the files.
    const push = events.push.bind(events);
    events.push = (...heard) => {
      for (const { event, payload } of heard) {
        const isNew = event === 'reports.changed' && payload.kind === 'daily' && payload.labels[0] === '2026-03-19';
        if (isNew) cpSync(scene.folder, before, { recursive: true });
        if (event === 'notifications.raised') cpSync(scene.folder, after, { recursive: true });
      }
      return push(...heard);
    };
    await scene.sync();
    expect(scene.told()).toHaveLength(1);

    await scene.reopen({ folder: after });
    await scene.sync();
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toMatchObject([{ label: '2026-03-19', toldAt: expect.any(String) as string }]);

    await scene.reopen({ folder: before });
    await scene.sync();
    expect(scene.told().map(labelsOf)).toEqual([['daily 2026-03-19']]);
  });

  it('that is backfilled after a newer one only goes into the history', async () => {
    const scene = await openSettled();
    passDays(scene, 20);
    // Twelve a round.
    await scene.room.call('sync.run', { urgency: 'permitted' });
    const [first] = scene.told();
    expect(first?.notifications.filter(({ kind }) => kind === 'daily')).toHaveLength(12);
    expect(first?.notifications.find(({ kind }) => kind === 'daily')?.label).toBe('2026-04-07');
    scene.clock.leap(MINUTE);
    await scene.room.call('sync.run', { urgency: 'permitted' });
    expect(scene.told()).toEqual([]);
    const dailies = history(scene).filter(({ kind }) => kind === 'daily');
    expect(dailies).toHaveLength(20);
    expect(dailies.filter(({ toldAt }) => toldAt === null)).toHaveLength(8);
    scene.clock.leap(MINUTE);
    await scene.sync();
    expect(history(scene).filter(({ kind }) => kind === 'daily')).toHaveLength(20);
  });

  it('that the service removed loses its headline in the history, and its entry stays', async () => {
    let gone = false;
    const intercept: DemoOptions['intercept'] = (request, response) => {
      const refused = gone && request.url === '/api/v1/dailies/2026-03-19';
      if (refused) response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{"code":"not_found"}');
      return refused;
    };
    const scene = await openSettled({ intercept });
    passDays(scene);
    await scene.sync();
    const title = scene.told()[0]?.notifications[0]?.title ?? '';
    gone = true;
    scene.clock.leap(HOUR);
    await scene.sync();
    expect(history(scene)).toMatchObject([{ label: '2026-03-19', title: '' }]);
    expect(title).not.toBe('');
    gone = false;
    scene.clock.leap(HOUR);
    await scene.sync();
    expect(scene.told()).toEqual([]);
    expect(history(scene)).toMatchObject([{ title }]);
  });
});
