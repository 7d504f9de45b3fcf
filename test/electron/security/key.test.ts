import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Gateway, KeyTrial } from '../../../src-main/contract/model/model.ts';
import type { SyncResult } from '../../../src-main/contract/model/sync-status.ts';
import { Evidence } from '../../support/leaks.ts';
import { newDataFolder, writeSettings } from '../../support/test-server.ts';
import { watchService, type WatchedService } from '../../support/watched-gateway.ts';
import { runHost, type FakeHost } from '../fake/index.ts';
import { WAIT } from '../support/hosts.ts';

const KEY = 'mgmt-4Hn8WbQ1z+Lr7VtYx3/KdJ9mCsPe2Gu6=FaTo5RiXhB';

const NO_KEYCHAIN: [string, Record<string, string>] = ['unavailable', { FAKE_KEYCHAIN: 'none' }];
/** For two starts, one after the other. Only Linux has a fixed password. */
const WITHOUT_KEYCHAIN: [string, Record<string, string>][] = [
  process.platform === 'linux' ? ['plainText', { FAKE_CIPHER: 'v10' }] : NO_KEYCHAIN,
  NO_KEYCHAIN,
];

describe('the key in the desktop app', () => {
  let evidence: Evidence;
  let gateway: WatchedService;
  let dataFolder: string;
  let host: FakeHost | null = null;
  beforeAll(async () => {
    evidence = new Evidence();
    gateway = await watchService('the gateway and its news', KEY, evidence);
  });
  afterAll(() => gateway.service.close());
  beforeEach(async () => {
    const { newsAddress, modelsAddress } = gateway.service;
    dataFolder = await newDataFolder();
    await writeSettings(dataFolder, { newsAddress, modelsAddress });
  });
  afterEach(async () => {
    await leave();
    await rm(dataFolder, { recursive: true, force: true });
  });

  async function start(environment: Record<string, string> = {}): Promise<void> {
    host = await runHost({ dataFolder, environment: { BROADSHEET_DEBUG: '1', ...environment } });
    host.onEvent((event, payload) => evidence.add(`events: ${event}`, JSON.stringify(payload)));
  }

  async function leave(): Promise<void> {
    if (!host) return;
    evidence.addFolder('data folder, in use', dataFolder);
    await host.close();
    evidence.add('stderr', host.stderr());
    evidence.addFolder('data folder', dataFolder);
    host = null;
  }

  async function ask<Value>(method: string, args: object): Promise<Value> {
    const reply = await host!.driver.call(method, args);
    evidence.add(`replies to ${method}`, JSON.stringify(reply));
    if (reply.ok) return reply.value as Value;
    throw new Error(reply.error.message);
  }

  const state = async () => (await ask<Gateway>('gateway.get', {})).key;
  /** `fresh`, or the error code. */
  const listed = async () => {
    const report = await ask<SyncResult>('sync.run', { urgency: 'now', resources: ['models'] });
    return report.resources.models.error?.code ?? 'fresh';
  };

  it('is encrypted, loaded at the next start, removed on request, and not replaced by an invalid one', async () => {
    await start();
    expect(await listed()).toBe('unauthorized');
    expect(await ask<KeyTrial>('gateway.setKey', { key: KEY })).toMatchObject({ kept: true, failure: null });
    expect(await state()).toMatchObject({ from: 'keychain', keeping: 'keychain', keepingReason: null, inUse: true });
    await leave();
    expect(JSON.parse(await readFile(join(dataFolder, 'key.json'), 'utf8'))).toEqual({
      sealed: expect.any(String) as string,
    });
    await start();
    await vi.waitFor(
      async () => expect(await state()).toMatchObject({ from: 'keychain', lastFour: 'iXhB', inUse: true }),
      WAIT,
    );
    expect(await listed()).toBe('fresh');
    expect((await ask<Gateway>('gateway.removeKey', {})).key.from).toBeNull();
    await leave();
    await start({ BROADSHEET_MODELS_KEY: `${KEY} ${KEY}` });
    expect([(await state()).from, await listed()]).toEqual([null, 'unauthorized']);
    expect(host!.stderr()).toContain('BROADSHEET_MODELS_KEY must be');
  });

  it('is held for one run only without a keychain, with the reason', async () => {
    for (const [keepingReason, environment] of WITHOUT_KEYCHAIN) {
      await start(environment);
      expect((await state()).from).toBeNull();
      await ask('gateway.setKey', { key: KEY });
      await expect(readFile(join(dataFolder, 'key.json'))).rejects.toThrow('ENOENT');
      expect(await state()).toMatchObject({ from: 'thisRun', keeping: 'thisRun', keepingReason, inUse: true });
      expect(await listed()).toBe('fresh');
      await leave();
    }
  });

  it('is read from the environment, with the gateway', async () => {
    const { newsAddress, modelsAddress } = gateway.service;
    await writeSettings(dataFolder, { newsAddress });
    await start({ BROADSHEET_MODELS_URL: modelsAddress, BROADSHEET_MODELS_KEY: ` ${KEY}\n` });
    expect((await ask<Gateway>('gateway.get', {})).source).toMatchObject({
      address: modelsAddress,
      from: 'environment',
    });
    expect(await state()).toMatchObject({ from: 'environment', inUse: true });
    expect(await listed()).toBe('fresh');
  });

  it('has not been leaked, written or sent elsewhere', () => {
    expect(evidence.placesOf(KEY)).toEqual([]);
    expect(evidence.places).toEqual(expect.arrayContaining(['stderr', 'data folder: key.json']));
    expect([...new Set(gateway.authorizations.map(({ path, value }) => `${path.split('?')[0]} ${value}`))]).toEqual([
      `/api/v1/models/user Bearer ${KEY}`,
    ]);
  });
});
