import { writeFileSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../src-main/contract/model/item.ts';
import { damageMark } from '../../../src-main/store/database/files.ts';
import { openHouse } from '../../support/test-app.ts';

const SECRET = '一个不该出现的标题';

describe('data health', () => {
  it.each(['memory', 'temporary'] as const)('tells of resources, runs and sizes, in %s', async (folder) => {
    const house = await openHouse({ folder });
    house.service.control.addItem({ title: SECRET });
    await house.call('sync.run', { urgency: 'now' });
    const health = await house.call('health.get', {});
    expect(health.resources.map(({ name }) => name)).toEqual([...RESOURCES]);
    const files = ['mirror.db', 'user.db', 'journal.db', 'search.db', 'catalogue.db'];
    expect(health.files.map(({ name }) => name)).toEqual(files);
    expect(health.files.every(({ bytes }) => bytes > 4096)).toBe(true);
    expect(health.runs).toEqual(
      expect.arrayContaining([expect.objectContaining({ resource: 'items', status: 'ok', reasons: [] })]),
    );
    expect(health).toMatchObject({ integrity: null, paused: false, pausedUntil: null });
    expect(health.facts).toMatchObject({ selectedComplete: true, reachable: true });
  });

  it('names the records that were left out, and nothing that a reader reads or searches', async () => {
    const house = await openHouse();
    house.service.control.addItem({ title: SECRET });
    house.service.control.addItem({ id: 'no-title', title: 7, summary: SECRET });
    await house.call('sync.run', { urgency: 'now' });
    await house.call('items.page', { query: { scope: 'all', window: 'any', state: 'any', text: SECRET }, limit: 5 });
    const health = await house.call('health.get', {});
    const run = health.runs.find(({ resource }) => resource === 'items');
    expect(run).toMatchObject({ skipped: 1, reasons: [expect.stringContaining('no-title')] });
    expect(JSON.stringify(health)).not.toContain(SECRET);
  });

  it('tells of failures with their cause', async () => {
    const house = await openHouse();
    await house.call('sync.run', { urgency: 'now' });
    await house.service.close();
    await house.call('sync.run', { urgency: 'now' });
    const { runs, resources } = await house.call('health.get', {});
    expect(runs[0]).toMatchObject({ status: 'failed' });
    expect(resources[0]).toMatchObject({ failures: 1, error: { code: 'unreachable' } });
  });

  it('shows a pause', async () => {
    const house = await openHouse();
    const until = house.clock.now() + 60_000;
    await house.call('sync.pause', { untilMs: until });
    expect(await house.call('health.get', {})).toMatchObject({
      paused: true,
      pausedUntil: new Date(until).toISOString(),
    });
    house.clock.advance(60_000);
    expect(await house.call('health.get', {})).toMatchObject({ paused: false, pausedUntil: null });
  });

  it('keeps what a check found', async () => {
    const house = await openHouse({ folder: 'temporary' });
    await house.call('sync.run', { urgency: 'now' });
    const at = new Date(house.clock.now()).toISOString();
    const whole = { at, sound: true, messages: [] };
    expect(await house.call('health.check', {})).toMatchObject({ integrity: whole });
    await house.reopen();
    expect(await house.call('health.get', {})).toMatchObject({ integrity: whole });
  });

  it('finds a damaged database, which the next start sets aside', async () => {
    const house = await openHouse({ folder: 'temporary' });
    await house.call('sync.run', { urgency: 'now' });
    const mirror = join(house.folder, 'mirror.db');
    await house.core.close();
    const bytes = readFileSync(mirror);
    // The last page but one: no start reads so far.
    writeFileSync(mirror, bytes.fill(0xa5, bytes.length - 2 * 4096, bytes.length - 4096));
    await house.reopen();
    const { integrity } = await house.call('health.check', {});
    expect(integrity?.sound).toBe(false);
    expect(integrity?.messages[0]).toMatch(/^mirror\.db: /);
    expect(existsSync(damageMark(mirror))).toBe(true);
    await house.reopen();
    expect((await house.call('sync.status', {})).notices).toMatchObject([{ file: 'mirror.db', reason: 'damaged' }]);
  });
});
