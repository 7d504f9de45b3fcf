import { describe, expect, it } from 'vitest';
import { servedReport, TWELVE_DAYS, type ServedReport } from '../../support/reports.ts';
import { openTestApp } from '../../support/test-app.ts';

const HOUR = 3_600_000;
const LABEL = '2026-03-05';

async function openScene() {
  const app = await openTestApp(TWELVE_DAYS);
  const sync = async (urgency: 'due' | 'now') =>
    (await app.call('sync.run', { urgency, resources: ['dailies'] })).resources.dailies;
  await sync('now');
  const served = await servedReport(app, `/dailies/${LABEL}`);
  return {
    app,
    sync,
    served,
    correct: (change: Partial<ServedReport>) => app.service.control.correctDaily(LABEL, change as never),
    stories: async () => {
      const { sections, flashes } = await app.call('reports.get', { kind: 'daily', label: LABEL });
      return [...sections.flatMap(({ items }) => items), ...flashes].map(({ title }) => title);
    },
  };
}

describe('an answer without most stories of a saved report', { timeout: 60_000 }, () => {
  it('is shown neither when the report is opened', async () => {
    const { app, correct, stories } = await openScene();
    const before = await stories();
    correct({ sections: [], flashes: [], lead: null });
    app.clock.advance(6 * HOUR);
    for (let n = 0; n < 3; n += 1) await app.call('reports.open', { kind: 'daily', label: LABEL });
    expect(await stories()).toEqual(before);
  });
});

describe('an answer with stories that cannot be read', { timeout: 60_000 }, () => {
  it('still withdraws a single other one', async () => {
    const { app, sync, served, correct, stories } = await openScene();
    const [title] = await stories();
    const { sections } = structuredClone(served);
    sections.find(({ items }) => items.length > 0)?.items.shift();
    correct({ sections });
    app.clock.advance(6 * HOUR);
    expect(await sync('now')).toMatchObject({ withdrawn: 1 });
    expect(await stories()).not.toContain(title);
  });
});
