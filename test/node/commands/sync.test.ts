import { describe, expect, it } from 'vitest';
import { localTime } from '../../../src-main/node/terminal-text.ts';
import type { SyncResult, SyncStatus } from '../../../src-main/contract/model/sync-status.ts';
import type { ModelRecord } from '../../../src-main/contract/model/model.ts';
import { KEY, modelRecords, startGateway } from '../../support/gateway.ts';
import { JSON_TYPE, serve } from '../../clients/tiny-service.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openHome, openSynced } from '../home.ts';
import { runHere } from '../shells.ts';

const content = { selected: 40, unselected: 10, days: 5 };

describe('a sync', () => {
  it('fails while the service asks to wait, and says until when', async () => {
    const { service, run, lines } = await openSynced({ content });
    service.control.refuse({ status: 429, retryAfter: 3600 });
    expect(await run('sync', '--all')).toMatchObject({ code: 1 });
    const sent = service.requests.length;
    const [{ ok, resources }] = (await lines<SyncResult>('sync', '--all')) as [SyncResult];
    expect(ok).toBe(false);
    const { waitUntil = '' } = resources.dailies;
    expect(Date.parse(waitUntil) - Date.now()).toBeGreaterThan(3_000_000);
    for (const args of [['sync', '--all'], ['sync']]) {
      const { code, out } = await run(...args);
      expect(code).toBe(1);
      for (const name of ['items', 'picks', 'stories', 'monthlies'])
        expect(out).toMatch(new RegExp(`^${name} +the service asked to wait until ${localTime(waitUntil)}$`, 'm'));
      expect(out).not.toContain('not due yet');
    }
    expect(service.requests.length).toBe(sent);
  });

  it.each<[what: string, change: (models: ModelRecord[]) => ModelRecord[], held: string]>([
    ['empty', () => [], '0 of 24 models'],
    ['a third', (models) => models.slice(0, 8), '8 of 24 models'],
    ['priceless', (models) => models.map(({ pricing: _, ...model }) => model), '0 of 48 prices'],
  ])('says that a smaller list of models is held, each time: %s', async (_, change, held) => {
    const gateway = await startGateway({ models: modelRecords(24) });
    const environment = { BROADSHEET_MODELS_URL: gateway.address, BROADSHEET_MODELS_KEY: KEY };
    const { run } = await openSynced({ content: { selected: 3, unselected: 0 }, environment });
    gateway.models = change(gateway.models);
    for (const args of [['sync', '--all'], ['sync', '--all'], ['sync']]) {
      const { out } = await run(...args);
      expect(out).toMatch(new RegExp(`^models .*\\n +confirming: the service returned ${held} since`, 'm'));
    }
  });

  it('says which fields it could not read, and calls nothing skipped that it saved', async () => {
    const item = { id: 'one', title: 'One', score: ['high'], publishedAt: new Date().toISOString() };
    const { address } = await serve(({ url = '' }, response) => {
      const isList = url.includes('/items?') && url.includes('mode=all');
      response.writeHead(isList ? 200 : 404, JSON_TYPE);
      response.end(JSON.stringify(isList ? { items: [item, item], page: { hasMore: false } } : {}));
    });
    const environment = { BROADSHEET_NEWS_URL: address, BROADSHEET_DATA: temporaryFolder() };
    expect((await runHere(['sync'], environment)).out).toMatch(
      /^items +1 added, 0 updated, 0 removed, 1 field could not be read \(\d+ requests?\)$/m,
    );
    expect((await runHere(['status'], environment)).out).toMatch(
      /^ +some fields could not be read: one: score can't be read; the rest is used$/m,
    );
  });

  it('says that a smaller answer is held, and what became of it when the reader accepts it', async () => {
    const { service, run, lines } = await openSynced({ content });
    const held = /^picks .*\n +confirming: the service returned 10 of 40 since .*--accept picks`$/m;
    service.control.requireSnapshot();
    service.control.shrinkSnapshots(0.25, 1000);
    expect((await run('sync', '--all')).out).toMatch(held);
    expect(await lines('sync')).toMatchObject([
      { ok: true, resources: { selected: { confirming: { stored: 40, received: 10, acceptable: true } } } },
    ]);

    const { code, out } = await run('sync', '--accept', 'picks');
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^accepted +picks: 10 of 40$/m) as string,
    });
    expect(out).not.toContain('confirming');
    expect((await run('sync', '--accept', 'picks')).out).toMatch(/^accepted +nothing: no smaller answer was held$/m);
    const [{ resources }] = (await lines<SyncStatus>('status')) as [SyncStatus];
    expect(resources.find(({ name }) => name === 'selected')).toMatchObject({ rows: 10 });
  });

  it('and a status say that a set is downloaded again which lacks much of what the list marks as selected', async () => {
    const { service, run } = await openHome({ content });
    service.control.shrinkSnapshots(0, 1000);
    await run('sync');
    const told = /^ +confirming: since .*, there are 0 of the 40 picks .*; they are downloaded again to check$/m;
    expect((await run('status')).out).toMatch(told);
    expect((await run('sync')).out).toMatch(told);
  });
});
