import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Evidence } from '../support/leaks.ts';
import { overhear, type OverheardPage } from '../support/overheard-page.ts';
import { newDataFolder, startTestServer, type TestServer } from '../support/test-server.ts';
import {
  continuing,
  QUOTING_BROKEN_JSON,
  QUOTING_MODEL_LIST,
  QUOTING_NONSENSE,
  quoting,
  redirecting,
  startForeignServer,
  watchService,
  type Fault,
  type ForeignServer,
  type WatchedService,
} from '../support/watched-gateway.ts';
import { runCli } from './child.ts';

// Whole processes, several of them; a busy machine takes its time over that.
const LONG = { timeout: 120_000 };

// With the signs that base64, addresses and JSON write in another way.
const KEY = 'mgmt-7Qx2LrVb9T+zKp4WnYc8/HsJd3FgMa6Ue1=Rw5Xh0BtNk';
const FOREIGN = 'mgmt-Zz8DfGh3Kq+VwPm6Lt1/XcYb9NsRj4Ua2=Ei7Og5QvTy';

/** Everything that a page may ask for without changing anything. */
const QUESTIONS = [
  ['app.capabilities', {}],
  ['settings.get', {}],
  ['source.get', {}],
  ['sync.status', {}],
  ['health.get', {}],
  ['health.check', {}],
  ['counts.get', {}],
  ['gateway.get', {}],
  ['models.list', { modelList: 'models' }],
  ['models.list', { modelList: 'embeddings' }],
  ['models.changes', { limit: 50 }],
  ['workloads.list', {}],
  ['items.page', { query: { scope: 'all', window: 'any', state: 'any' }, limit: 50 }],
] as const;

/** A run of Broadsheet from its start to its end, whose every trace is kept. */
class Scene {
  readonly evidence = new Evidence();
  gateway!: WatchedService;
  other!: WatchedService;
  stranger!: ForeignServer;
  folder!: string;
  reader!: TestServer;
  page!: OverheardPage;

  async open(): Promise<void> {
    this.folder = await newDataFolder();
    this.gateway = await watchService('the gateway and its news', KEY, this.evidence);
    this.other = await watchService('another gateway', 'its own key', this.evidence);
    this.stranger = await startForeignServer(this.evidence);
  }

  async serve(environment: Record<string, string>, settings = {}): Promise<void> {
    const own = { BROADSHEET_DEBUG: '1', ...environment };
    this.reader = await startTestServer({ dataFolder: this.folder, settings, environment: own });
    this.page = await overhear(this.reader.address, this.evidence);
  }

  async leave(): Promise<void> {
    this.evidence.addFolder('data folder, in use', this.folder);
    await this.page.leave();
    await this.reader.close();
    this.evidence.add('stdout', this.reader.stdout());
    this.evidence.add('stderr', this.reader.stderr());
    this.evidence.addFolder('data folder', this.folder);
  }

  async close(): Promise<void> {
    await Promise.all([this.gateway.service.close(), this.other.service.close(), this.stranger.close()]);
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Lists anew, however that goes, and asks everything that shows how it went: the code of the failure, or `fresh`. */
  async sync(): Promise<string> {
    const { resources } = await this.page.call('sync.run', { urgency: 'now', resources: ['models', 'embeddings'] });
    for (const [method, args] of QUESTIONS) await this.page.call(method, args);
    return resources.models.error?.code ?? 'fresh';
  }

  async syncWith(fault: Fault): Promise<string> {
    this.gateway.fault = fault;
    try {
      return await this.sync();
    } finally {
      this.gateway.fault = null;
    }
  }

  /** A command of its own on the same folder, with the key in its environment. */
  async run(...args: string[]): Promise<number | null> {
    const { newsAddress: news, modelsAddress } = this.gateway.service;
    const environment = { BROADSHEET_DEBUG: '1', BROADSHEET_NEWS_URL: news, BROADSHEET_MODELS_URL: modelsAddress };
    const ended = await runCli([...args, '--data', this.folder], { ...environment, BROADSHEET_MODELS_KEY: KEY });
    this.evidence.add(`what ${args.slice(0, 3).join(' ')} wrote`, ended.out + ended.err);
    return ended.code;
  }

  /** Where the header went, and with what. */
  sent(service: WatchedService): string[] {
    const told = service.authorizations.map(({ path, value }) => `${path.split('?')[0]} ${value}`);
    return [...new Set(told)].sort();
  }
}

describe('a key in the environment', LONG, () => {
  const scene = new Scene();
  beforeAll(async () => {
    await scene.open();
    const { newsAddress, modelsAddress } = scene.gateway.service;
    await scene.serve({
      BROADSHEET_NEWS_URL: newsAddress,
      BROADSHEET_MODELS_URL: modelsAddress,
      BROADSHEET_MODELS_KEY: KEY,
    });
    await scene.page.call('sync.run', { urgency: 'now' });
  }, 120_000);
  afterAll(() => scene.close());

  it('lists models, and its last four characters are told', async () => {
    expect(await scene.sync()).toBe('fresh');
    expect((await scene.page.call('models.list', { modelList: 'models' })).lines.length).toBeGreaterThan(0);
    const { key } = await scene.page.call('gateway.get', {});
    expect(key).toMatchObject({ from: 'environment', lastFour: KEY.slice(-4), inUse: true });
  });

  it.each<[string, () => Fault, string]>([
    ['401', () => quoting(401), 'unauthorized'],
    ['403', () => quoting(403), 'forbidden'],
    ['404', () => quoting(404), 'not_found'],
    ['500', () => quoting(500), 'service_error'],
    ['503', () => quoting(503), 'temporarily_unavailable'],
    ['a type of content', () => QUOTING_NONSENSE, 'wrong_content_type'],
    ['JSON that breaks off', () => QUOTING_BROKEN_JSON, 'invalid_body'],
    ['a model of the model list', () => QUOTING_MODEL_LIST, 'fresh'],
    ['nothing: it is a redirect to somebody else', () => redirecting(scene.stranger.address), 'redirect_refused'],
  ])('meets a gateway that quotes it in %s', async (_where, fault, code) => {
    expect(await scene.syncWith(fault())).toBe(code);
  });

  it('does not follow the next page to somebody else', async () => {
    expect(await scene.syncWith(continuing(scene.stranger.address))).not.toBe('fresh');
  });

  it('makes way for no key that is refused, is removed, and comes back by hand', async () => {
    expect(await scene.page.call('gateway.setKey', { key: FOREIGN })).toMatchObject({ kept: false });
    scene.gateway.fault = quoting(403);
    expect(await scene.page.call('gateway.setKey', { key: FOREIGN })).toMatchObject({ kept: false });
    scene.gateway.fault = null;
    for (const args of [{ key: `${FOREIGN} and more` }, { key: FOREIGN, more: KEY }, { [KEY]: FOREIGN }, [FOREIGN]])
      await expect(scene.page.call('gateway.setKey', args as never)).rejects.toMatchObject({
        code: 'invalid_argument',
      });
    expect((await scene.page.call('gateway.removeKey', {})).key.from).toBeNull();
    expect(await scene.sync()).toBe('unauthorized');
    expect(await scene.page.call('gateway.setKey', { key: KEY })).toMatchObject({ kept: true, failure: null });
    expect(await scene.sync()).toBe('fresh');
  });

  it('is with the commands, too', async () => {
    await scene.leave();
    const out = join(scene.folder, 'exported');
    await mkdir(out);
    for (const args of [
      ['sync', '--all', '--json'],
      ['status', '--json'],
      ['status', '--check'],
      ['list', 'models'],
    ])
      expect(await scene.run(...args), args.join(' ')).toBe(0);
    for (const what of ['models', 'embeddings', 'items', 'dailies'])
      expect(await scene.run('list', what, '--json'), what).toBe(0);
    expect(await scene.run('show', 'daily', 'latest')).toBe(0);
    for (const format of ['md', 'html', 'json'])
      expect(await scene.run('export', 'daily', '--all', '--format', format, '--out', out), format).toBe(0);
    scene.evidence.addFolder('data folder, after all', scene.folder);
  });

  it('is nowhere but in the header of the two model lists', () => {
    const { evidence, gateway, stranger } = scene;
    expect([evidence.placesOf(KEY), evidence.placesOf(FOREIGN)]).toEqual([[], []]);
    expect(scene.sent(gateway)).toEqual([`/api/v1/models/user Bearer ${KEY}`, `/api/v1/models/user Bearer ${FOREIGN}`]);
    expect(stranger.reached).toEqual([]);
    // That there was something to search.
    for (const place of ['stderr', 'events', 'replies to models.list', 'requests to the gateway and its news'])
      expect(evidence.size(place), place).toBeGreaterThan(500);
    expect(evidence.places.filter((place) => /models\.db-wal|fetchLog|exported|settings/.test(place))).not.toEqual([]);
  });
});

describe('a key that is entered in the page', LONG, () => {
  const scene = new Scene();
  beforeAll(async () => {
    await scene.open();
    const { newsAddress, modelsAddress } = scene.gateway.service;
    await scene.serve({}, { newsAddress, modelsAddress });
    await scene.page.call('sync.run', { urgency: 'now' });
  }, 120_000);
  afterAll(() => scene.close());

  it('is wanted, taken and used', async () => {
    expect(await scene.sync()).toBe('unauthorized');
    expect(await scene.page.call('gateway.setKey', { key: KEY })).toMatchObject({ kept: true, failure: null });
    expect(await scene.sync()).toBe('fresh');
  });

  it('stays here while the reader goes over to another gateway, and to other news', async () => {
    const { modelsAddress, newsAddress } = scene.other.service;
    await scene.page.call('settings.set', { patch: { modelsAddress } });
    expect(await scene.sync()).toBe('unauthorized');
    expect((await scene.page.call('gateway.get', {})).key).toMatchObject({ inUse: false, unused: 'otherOrigin' });
    await scene.page.call('settings.set', { patch: { newsAddress } });
    await scene.page.call('sync.run', { urgency: 'now' });
    expect(scene.sent(scene.other)).toEqual([]);
  });

  it('goes there with the word of the reader alone, and comes back where it is refused', async () => {
    scene.other.fault = quoting(403);
    expect(await scene.page.call('gateway.allowKey', {})).toMatchObject({
      kept: false,
      failure: { code: 'forbidden' },
    });
    scene.other.fault = null;
    expect(scene.sent(scene.other)).toEqual([`/api/v1/models/user Bearer ${KEY}`]);
    const { newsAddress, modelsAddress } = scene.gateway.service;
    await scene.page.call('settings.set', { patch: { newsAddress, modelsAddress } });
    expect(await scene.sync()).toBe('fresh');
  });

  it('is not there any more at the next start', async () => {
    await scene.leave();
    await scene.serve({}, scene.gateway.service);
    expect((await scene.page.call('gateway.get', {})).key.from).toBeNull();
    await scene.leave();
  });

  it('is nowhere but in the header of the two model lists', () => {
    expect(scene.evidence.placesOf(KEY)).toEqual([]);
    expect(scene.sent(scene.gateway)).toEqual([`/api/v1/models/user Bearer ${KEY}`]);
  });
});

describe('the search for a key', () => {
  it.each([
    ['as it is', `x${KEY}x`],
    ['a piece of it', KEY.slice(7, 18)],
    ['in other case', KEY.toUpperCase()],
    ['percent-encoded', `?key=${encodeURIComponent(KEY)}`],
    ['base64', Buffer.from(KEY).toString('base64')],
    ['base64, behind something else', Buffer.from(`{"k":"${KEY}"}`).toString('base64')],
    ['a header in base64', Buffer.from(`Bearer ${KEY}`).toString('base64url')],
    ['hex', Buffer.from(KEY).toString('hex').toUpperCase()],
    ['UTF-16', Buffer.from(`..${KEY}`, 'utf16le')],
    ['across two writes', KEY],
  ])('finds it %s', (where, text) => {
    const evidence = new Evidence();
    const parts = where === 'across two writes' ? [KEY.slice(0, 9), KEY.slice(9)] : [text];
    for (const part of parts) evidence.add('here', part);
    expect(evidence.placesOf(KEY)).toHaveLength(1);
  });

  it('does not mind its last four characters', () => {
    const evidence = new Evidence();
    evidence.add('the page', `ends with ${KEY.slice(-4)}`);
    expect(evidence.placesOf(KEY)).toEqual([]);
  });
});
