import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folders.ts';
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
import { runHere } from './shells.ts';

// Several processes, which take longer on a busy computer.
const LONG = { timeout: 120_000 };

// Contains characters that base64, URLs and JSON encode.
const KEY = 'mgmt-7Qx2LrVb9T+zKp4WnYc8/HsJd3FgMa6Ue1=Rw5Xh0BtNk';
const FOREIGN = 'mgmt-Zz8DfGh3Kq+VwPm6Lt1/XcYb9NsRj4Ua2=Ei7Og5QvTy';

/** All calls of the page that change nothing. */
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

/** A run of Broadsheet, with everything that it writes. */
class Scene {
  readonly evidence = new Evidence();
  gateway!: WatchedService;
  other!: WatchedService;
  foreignServer!: ForeignServer;
  folder!: string;
  reader!: TestServer;
  page!: OverheardPage;

  async open(): Promise<void> {
    this.folder = await newDataFolder();
    this.gateway = await watchService('the gateway and its news', KEY, this.evidence);
    this.other = await watchService('another gateway', 'its own key', this.evidence);
    this.foreignServer = await startForeignServer(this.evidence);
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
    await Promise.all([this.gateway.service.close(), this.other.service.close(), this.foreignServer.close()]);
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Lists the models again, calls everything that shows the result, and returns the error code or `fresh`. */
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

  /** A command in the same folder, with the key in its environment: in a separate process, or in this one. */
  async run(runIt: typeof runCli | typeof runHere, ...args: string[]): Promise<number | null> {
    const { newsAddress: news, modelsAddress } = this.gateway.service;
    const environment = { BROADSHEET_DEBUG: '1', BROADSHEET_NEWS_URL: news, BROADSHEET_MODELS_URL: modelsAddress };
    const ended = await runIt([...args, '--data', this.folder], { ...environment, BROADSHEET_MODELS_KEY: KEY });
    this.evidence.add(`what ${args.slice(0, 3).join(' ')} wrote`, ended.out + ended.err);
    return ended.code;
  }

  /** The requests that contained the header. */
  sent(service: WatchedService): string[] {
    const uses = service.authorizations.map(({ path, value }) => `${path.split('?')[0]} ${value}`);
    return [...new Set(uses)].sort();
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
  });
  afterAll(() => scene.close());

  it('lists models and shows only its last four characters', async () => {
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
    ['a content type', () => QUOTING_NONSENSE, 'wrong_content_type'],
    ['truncated JSON', () => QUOTING_BROKEN_JSON, 'invalid_body'],
    ['a model', () => QUOTING_MODEL_LIST, 'fresh'],
    ['a redirect to another server', () => redirecting(scene.foreignServer.address), 'redirect_refused'],
  ])('is not leaked by a gateway that quotes it in %s', async (_where, fault, code) => {
    expect(await scene.syncWith(fault())).toBe(code);
  });

  it('is not sent to a next page on another server', async () => {
    expect(await scene.syncWith(continuing(scene.foreignServer.address))).not.toBe('fresh');
  });

  it('stays in use if another key is rejected, is removed, and can be entered again', async () => {
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

  it('is used by the commands too', async () => {
    await scene.leave();
    // Nothing but Broadsheet's own files is written into the data folder.
    const out = temporaryFolder();
    expect(await scene.run(runCli, 'sync', '--all', '--json')).toBe(0);
    for (const args of [
      ['status', '--json'],
      ['status', '--check'],
      ['list', 'models'],
      ['show', 'daily', 'latest'],
      ...['models', 'embeddings', 'items', 'dailies'].map((what) => ['list', what, '--json']),
    ])
      expect(await scene.run(runHere, ...args), args.join(' ')).toBe(0);
    for (const format of ['md', 'html', 'json'])
      expect(await scene.run(runHere, 'export', 'daily', '--all', '--format', format, '--out', out), format).toBe(0);
    scene.evidence.addFolder('data folder, after all', scene.folder);
    scene.evidence.addFolder('exported', out);
  });

  it('occurs only in the header of the two model lists', () => {
    const { evidence, gateway, foreignServer } = scene;
    expect([evidence.placesOf(KEY), evidence.placesOf(FOREIGN)]).toEqual([[], []]);
    expect(scene.sent(gateway)).toEqual([`/api/v1/models/user Bearer ${KEY}`, `/api/v1/models/user Bearer ${FOREIGN}`]);
    expect(foreignServer.reached).toEqual([]);
    // Checks that there was something to search.
    for (const place of ['stderr', 'events', 'replies to models.list', 'requests to the gateway and its news'])
      expect(evidence.size(place), place).toBeGreaterThan(500);
    for (const file of ['in use: user.db-wal', 'in use: mirror.db', 'exported: ', 'after all: settings.json'])
      expect(evidence.places.filter((place) => place.includes(file)).length, file).toBeGreaterThan(0);
  });
});

describe('a key entered in the page', LONG, () => {
  const scene = new Scene();
  beforeAll(async () => {
    await scene.open();
    const { newsAddress, modelsAddress } = scene.gateway.service;
    await scene.serve({}, { newsAddress, modelsAddress });
    await scene.page.call('sync.run', { urgency: 'now' });
  });
  afterAll(() => scene.close());

  it('is required, accepted and used', async () => {
    expect(await scene.sync()).toBe('unauthorized');
    expect(await scene.page.call('gateway.setKey', { key: KEY })).toMatchObject({ kept: true, failure: null });
    expect(await scene.sync()).toBe('fresh');
  });

  it('stays here when the user switches to another gateway or news service', async () => {
    const { modelsAddress, newsAddress } = scene.other.service;
    await scene.page.call('settings.set', { patch: { modelsAddress } });
    expect(await scene.sync()).toBe('unauthorized');
    expect((await scene.page.call('gateway.get', {})).key).toMatchObject({ inUse: false, unused: 'otherOrigin' });
    await scene.page.call('settings.set', { patch: { newsAddress } });
    await scene.page.call('sync.run', { urgency: 'now' });
    expect(scene.sent(scene.other)).toEqual([]);
  });

  it("is sent to another gateway only with the user's consent, and returns if it is rejected", async () => {
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

  it('is gone after a restart', async () => {
    await scene.leave();
    await scene.serve({}, scene.gateway.service);
    expect((await scene.page.call('gateway.get', {})).key.from).toBeNull();
    await scene.leave();
  });

  it('occurs only in the header of the two model lists', () => {
    expect(scene.evidence.placesOf(KEY)).toEqual([]);
    expect(scene.sent(scene.gateway)).toEqual([`/api/v1/models/user Bearer ${KEY}`]);
  });
});

describe('the search for a key', () => {
  it.each([
    ['unchanged', `x${KEY}x`],
    ['a part of it', KEY.slice(7, 18)],
    ['in another case', KEY.toUpperCase()],
    ['percent-encoded', `?key=${encodeURIComponent(KEY)}`],
    ['base64', Buffer.from(KEY).toString('base64')],
    ['in base64, after other text', Buffer.from(`{"k":"${KEY}"}`).toString('base64')],
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

  it('ignores its last four characters', () => {
    const evidence = new Evidence();
    evidence.add('the page', `ends with ${KEY.slice(-4)}`);
    expect(evidence.placesOf(KEY)).toEqual([]);
  });
});
