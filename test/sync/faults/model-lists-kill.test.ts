import type { ChildProcess } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { casesOf } from '../../support/proofs.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { fakeClock } from '../../support/clock.ts';
import { openTestEngine } from '../../support/test-engine.ts';
import { expectSoundFiles, startSync } from '../../support/killed-sync.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { KEY, modelRecords, startGateway } from '../../support/gateway.ts';

interface Moment {
  when: 'asked' | 'answered';
  page: number;
}

const MOMENTS: Moment[] = [1, 3].flatMap((page) => [
  { when: 'asked', page },
  { when: 'answered', page },
]);

describe('a process that is killed while it syncs the models', () => {
  it.each(casesOf(MOMENTS, [3]))(
    'when page $page was $when, leaves one complete model list',
    async ({ when, page }) => {
      const clock = fakeClock();
      const service = await startDemoService({ clock, content: { selected: 3, days: 3 } });
      onTestFinished(() => service.close());
      const before = modelRecords(600);
      const after = [...modelRecords(100, 'new'), ...before.slice(100)];
      const gateway = await startGateway({ models: before, pageSize: 200 });
      const folder = temporaryFolder();
      const options = { address: service.newsAddress, gateway: gateway.asked(), clock, folder };
      const first = openTestEngine(options);
      await first.call('sync.run', { urgency: 'now', resources: ['models'] });
      await first.engine.close();

      gateway.models = after;
      let child: ChildProcess | null = null;
      let pages = 0;
      gateway.intercept = ({ modelList }, response) => {
        if (modelList !== 'models' || ++pages !== page) return false;
        if (when === 'asked') child?.kill('SIGKILL');
        // It is left to chance if the child has read the last byte, and stored it.
        else response.once('finish', () => child?.kill('SIGKILL'));
        return false;
      };
      const started = startSync(folder, service.newsAddress, gateway.address, KEY);
      child = started.child;
      expect(await started.endedBy).toBe('SIGKILL');

      gateway.intercept = null;
      const room = openTestEngine(options);
      const stored = room.queries.models.list(gateway.address, 'models').lines.map(({ id }) => id);
      expect([before, after].map((records) => records.map(({ id }) => id))).toContainEqual(stored);
      expect(await room.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
      const { lines } = room.queries.models.list(gateway.address, 'models');
      expect(lines.map(({ id }) => id)).toEqual(after.map(({ id }) => id));
      expect(room.queries.models.refreshes(gateway.address, 9).map(({ changes }) => changes.length)).toEqual([200]);
      await room.engine.close();
      expectSoundFiles(folder);
    },
  );
});
