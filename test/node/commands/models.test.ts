import { describe, expect, it } from 'vitest';
import type { SyncResult, SyncStatus } from '../../../src-main/contract/model/sync-status.ts';
import type { ModelRefresh, ModelRecord } from '../../../src-main/contract/model/model.ts';
import { FOREIGN_KEY, KEY, modelRecord, modelRecords, startGateway } from '../../support/gateway.ts';
import { jsonLines } from '../child.ts';
import { openHome } from '../home.ts';
import { runHere } from '../shells.ts';

/** Only a sync names the gateway. */
async function openScene(given: Parameters<typeof startGateway>[0] = {}) {
  const { service, data } = await openHome({ content: { selected: 3, unselected: 0 } });
  const gateway = await startGateway(given);
  const run = (args: string[], key: string | null = KEY) =>
    runHere(args, {
      BROADSHEET_NEWS_URL: service.newsAddress,
      BROADSHEET_DATA: data,
      ...(args[0] === 'sync' && { BROADSHEET_MODELS_URL: gateway.address }),
      ...(args[0] === 'sync' && key !== null && { BROADSHEET_MODELS_KEY: key }),
    });
  return { gateway, data, run };
}

const ODD_PRICES = {
  prompt: '0.00000015',
  completion: '1e-7',
  request: '0',
  image: '-1',
  web_search: '0.004',
  discount: '0.2',
  audio: '',
  internal_reasoning: null,
  input_cache_read: '0.000000000001',
  something_new: '3',
  overrides: [
    { min_prompt_tokens: 32_000, prompt: '0.0000003', something_new: '4' },
    { utc_start: '16:30', utc_end: '00:30', prompt: 1e-7 },
    { region: 'eu', prompt: '0.0000002' },
  ],
};

describe('models on the command line', () => {
  it('are complete after one sync, with unchanged records, and stay saved without the gateway', async () => {
    const models = modelRecords(120).map((record) => ({ ...record, pricing: ODD_PRICES, later: { field: [null, 1] } }));
    const { gateway, run } = await openScene({ models, embeddings: modelRecords(17, 'vectors'), pageSize: 50 });
    const synced = await run(['sync', '--json']);
    expect(synced).toMatchObject({ code: 0, err: '' });
    expect(jsonLines<SyncResult>(synced.out)[0]?.resources).toMatchObject({
      models: { status: 'ok', requests: 3, added: 120 },
      embeddings: { status: 'ok', requests: 1, added: 17 },
    });
    await gateway.close();
    expect(jsonLines<ModelRecord>((await run(['list', 'models', '--json'])).out)).toEqual(models);
    expect(jsonLines<ModelRecord>((await run(['list', 'embeddings', '--json'])).out)).toEqual(gateway.embeddings);
    expect(jsonLines((await run(['list', 'models', '--json', '--limit', '7'])).out)).toEqual(models.slice(0, 7));
    const [shown] = jsonLines<object>((await run(['show', 'model', 'vectors/model-3', '--json'])).out);
    expect(shown).toMatchObject({
      listing: 'embeddings',
      record: gateway.embeddings[2],
      favouriteAt: null,
      aliases: [],
    });
    expect(await run(['show', 'model', 'no/such'])).toMatchObject({ code: 1, out: '' });
  });

  it('are printed with exact prices and all fields of the gateway', async () => {
    const models = [modelRecord('a/b', { name: 'A\u001b[2J model', pricing: ODD_PRICES, later: { field: [null, 1] } })];
    const { run } = await openScene({ models });
    await run(['sync']);
    expect((await run(['list', 'models'])).out).toBe(
      '  A\uFFFD[2J model - in $0.15, out $0.1 (per million tokens), other prices under conditions, context 128,000 [a/b]\n',
    );
    const { out } = await run(['show', 'model', 'a/b']);
    for (const line of [
      'Context      128,000 tokens',
      'Input        text, image',
      'Moderated    no',
      '  prompt: $0.15 per million tokens',
      '  prompt (above 32,000 input tokens): $0.3 per million tokens',
      '  prompt (16:30 to 00:30 UTC): $0.1 per million tokens',
      '  prompt (region: eu): $0.2 per million tokens',
      '  completion: $0.1 per million tokens',
      '  request: free',
      '  image: varies',
      '  web_search: $0.004 per search',
      '  discount: 0.2 (a share)',
      '  audio: unreadable: ""',
      '  internal_reasoning: not given',
      '  input_cache_read: $0.000001 per million tokens',
      '  something_new: 3 (as given)',
      '  something_new (above 32,000 input tokens): 4 (as given)',
      '  later: {"field":[null,1]}',
      '  top_provider.context_length: 128000',
      '  per_request_limits: null',
    ]) {
      expect(out.split('\n')).toContain(line);
    }
  });

  it('are printed without a placeholder for an expiry, and as aliases of other models', async () => {
    const alias = modelRecord('~made/latest', {
      pricing: { prompt: '-1', completion: '-1', image: '0.0000006' },
      alias_target: { slug: 'made/model-1', name: 'Model 1' },
      expiration_date: '2098-12-31',
    });
    const { run } = await openScene({ models: [alias, ...modelRecords(1)] });
    await run(['sync']);
    expect((await run(['list', 'models'])).out.split('\n')[0]).toBe(
      '  The ~made/latest - in varies, out varies (per million tokens), context 128,000, alias for made/model-1 [~made/latest]',
    );
    const { out } = await run(['show', 'model', '~made/latest']);
    for (const line of [
      'Vendor       made',
      'Alias for    made/model-1',
      'Expires      none (placeholder: 2098-12-31)',
      '  prompt: varies',
      '  image: $0.0000006 (unit not given)',
    ]) {
      expect(out.split('\n')).toContain(line);
    }
  });

  it('are printed with the changes of their price tiers', async () => {
    const tiered = (prompt: string): ModelRecord =>
      modelRecord('a/b', { pricing: { prompt: '0.0000001', overrides: [{ min_prompt_tokens: 32_000, prompt }] } });
    const { gateway, run } = await openScene({ models: [tiered('0.0000002')] });
    await run(['sync']);
    gateway.models = [tiered('0.0000003')];
    await run(['sync', '--all']);
    expect((await run(['list', 'model-changes'])).out).toContain(
      '  prompt price (above 32,000 input tokens) of The a/b [a/b]: $0.2 -> $0.3 per million tokens (+50 %)\n',
    );
    const [refresh] = jsonLines<ModelRefresh>((await run(['list', 'model-changes', '--json'])).out);
    expect(refresh?.changes).toEqual([
      expect.objectContaining({
        price: 'prompt',
        tier: { min_prompt_tokens: 32_000 },
        before: '0.0000002',
        after: '0.0000003',
      }),
    ]);
    expect((await run(['show', 'model', 'a/b'])).out).toMatch(
      /prompt \(above 32,000 input tokens\): \$0\.2 from .*, \$0\.3 from /,
    );
  });

  it('are printed with their changes, one entry per refresh', async () => {
    const { gateway, run } = await openScene({ models: modelRecords(2) });
    await run(['sync']);
    expect(await run(['list', 'model-changes'])).toMatchObject({ code: 0, out: '' });
    const [first] = gateway.models as [ModelRecord];
    gateway.models = [{ ...first, pricing: { prompt: '0.0000003', completion: '0.0000006' }, context_length: 64_000 }];
    await run(['sync', '--all']);
    const { out } = await run(['list', 'model-changes']);
    expect(out).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d models: \d changes\n/);
    expect(out).toContain(
      '  prompt price of The made/model-1 [made/model-1]: $0.15 -> $0.3 per million tokens (+100 %)\n',
    );
    expect(out).toContain('  context of The made/model-1 [made/model-1]: 128,000 -> 64,000\n');
    expect(out).toContain('  removed The made/model-2 [made/model-2]\n');
    const [refresh] = jsonLines<ModelRefresh>((await run(['list', 'model-changes', '--json'])).out);
    expect(refresh).toMatchObject({ listing: 'models', otherKey: false });
    expect((await run(['show', 'model', 'made/model-1'])).out).toMatch(/prompt: \$0\.15 from .*, \$0\.3 from /);
  });

  it.each([
    ['without a key', null, 'unauthorized', 'Add a key in Settings'],
    ['with a key that cannot list', FOREIGN_KEY, 'forbidden', 'only management keys can'],
  ])('fail %s, with a message and exit code 1, and the rest is saved', async (_, key, code, words) => {
    const { run } = await openScene({ models: modelRecords(2), embeddings: modelRecords(2, 'vectors') });
    const failed = await run(['sync'], key);
    expect(failed.code).toBe(1);
    expect(failed.out).toMatch(new RegExp(`^models     failed: .*${words}`, 'm'));
    expect(failed.out).toContain('embeddings 2 added');
    expect(failed.out).toMatch(/^items +\d+ added/m);
    const status = await run(['status']);
    expect(status.out).toContain(`(${code})`);
    expect(JSON.stringify([failed, status])).not.toContain(FOREIGN_KEY);
    expect((await run(['list', 'embeddings', '--json'])).out).not.toBe('');
    expect(await run(['sync'])).toMatchObject({ code: 0 });
  });

  it('are part of the status, with their gateway', async () => {
    const { gateway, run } = await openScene({ models: modelRecords(2) });
    await run(['sync']);
    const { out } = await run(['status']);
    expect(out).toContain(`Models     ${gateway.address}\n`);
    expect(out).toMatch(/^models +last success .*, 2 saved$/m);
    expect(out).toMatch(/^embeddings +last success .*, 0 saved$/m);
    const [asJson] = jsonLines<object>((await run(['status', '--json'])).out);
    expect(asJson).toMatchObject({ gateway: { address: gateway.address, demo: false } });
    expect(out + JSON.stringify(asJson)).not.toContain(KEY);
  });

  it('stay if the gateway suddenly lists none, and the status says so', async () => {
    const { gateway, run } = await openScene({ models: modelRecords(12) });
    await run(['sync']);
    gateway.models = [];
    expect((await run(['sync', '--all'])).code).toBe(0);
    expect(jsonLines((await run(['list', 'models', '--json'])).out)).toHaveLength(12);
    expect((await run(['status'])).out).toContain('confirming: the service returned 0 of 12 models since');
    const [status] = jsonLines<SyncStatus>((await run(['status', '--json'])).out);
    expect(status?.resources.find(({ name }) => name === 'models')).toMatchObject({
      rows: 12,
      confirming: { stored: 12, received: 0, acceptable: true },
    });
    expect((await run(['sync', '--accept', 'models'])).code).toBe(0);
    expect(jsonLines((await run(['list', 'models', '--json'])).out)).toHaveLength(0);
    expect((await run(['status'])).out).not.toContain('confirming');
  });

  it('are those of the configured gateway, also when another one was synced last', async () => {
    const { gateway, run, data } = await openScene({ models: modelRecords(2) });
    const region = await startGateway({ models: modelRecords(3, 'region') });
    await run(['sync']);
    const at = async (address: string, args: string[]) => {
      const services = { BROADSHEET_NEWS_URL: 'http://127.0.0.1:9', BROADSHEET_MODELS_URL: address };
      return (await runHere(args, { BROADSHEET_DATA: data, BROADSHEET_MODELS_KEY: KEY, ...services })).out;
    };
    const listed = async (address: string) =>
      jsonLines<{ id: string }>(await at(address, ['list', 'models', '--json'])).map(({ id }) => id.split('/')[0]);
    expect(await listed(region.address)).toEqual(['made', 'made']);
    await at(region.address, ['sync']);
    expect(await listed(region.address)).toEqual(['region', 'region', 'region']);
    expect(await listed(gateway.address)).toEqual(['made', 'made']);
  });

  it('keep their gateway after a command that only writes', async () => {
    const { run } = await openScene({ models: modelRecords(2) });
    await run(['sync']);
    await run(['mute', 'add', 'nothing']);
    expect(jsonLines((await run(['list', 'models', '--json'])).out)).toHaveLength(2);
    expect((await run(['sync'])).out).toMatch(/^models {5}not due yet$/m);
  });
});
