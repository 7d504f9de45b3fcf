import { describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../src-main/contract/model/resource.ts';
import { openTestApp } from '../../support/test-app.ts';

const SECRET = '一个不该出现的标题';

describe('data health', () => {
  it.each(['memory', 'temporary'] as const)('contains resources, runs and sizes, in %s', async (folder) => {
    const app = await openTestApp({ folder });
    app.service.control.addItem({ title: SECRET });
    await app.call('sync.run', { urgency: 'now' });
    const health = await app.call('health.get', {});
    expect(health.resources.map(({ name }) => name)).toEqual([...RESOURCES]);
    const files = ['mirror.db', 'user.db', 'search.db'];
    expect(health.files.map(({ name }) => name)).toEqual(files);
    expect(health.files.every(({ bytes }) => bytes > 4096)).toBe(true);
    expect(health.runs).toEqual(
      expect.arrayContaining([expect.objectContaining({ resource: 'items', status: 'ok', reasons: [] })]),
    );
    expect(health).toMatchObject({ integrity: null, paused: false, pausedUntil: null });
    expect(health.facts).toMatchObject({ selectedComplete: true, reachable: true });
  });

  it('lists the records that were left out, but no titles or searches', async () => {
    const app = await openTestApp();
    app.service.control.addItem({ title: SECRET });
    app.service.control.addItem({ id: 'no-title', title: 7, summary: SECRET });
    await app.call('sync.run', { urgency: 'now' });
    await app.call('items.page', { query: { scope: 'all', window: 'any', state: 'any', text: SECRET }, limit: 5 });
    const health = await app.call('health.get', {});
    const run = health.runs.find(({ resource }) => resource === 'items');
    expect(run).toMatchObject({ skipped: 1, reasons: [expect.stringContaining('no-title')] });
    expect(JSON.stringify(health)).not.toContain(SECRET);
  });

  it('saves the result of a check', async () => {
    const app = await openTestApp({ folder: 'temporary' });
    await app.call('sync.run', { urgency: 'now' });
    const at = new Date(app.clock.now()).toISOString();
    const whole = { at, sound: true, messages: [] };
    expect(await app.call('health.check', {})).toMatchObject({ integrity: whole });
    await app.reopen();
    expect(await app.call('health.get', {})).toMatchObject({ integrity: whole });
  });
});
