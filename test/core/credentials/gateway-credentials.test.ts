import { describe, expect, it, vi } from 'vitest';
import { BroadsheetError, toFailure, type ErrorCode } from '../../../src-main/contract/errors.ts';
import type { GatewaySource } from '../../../src-main/contract/model/model.ts';
import type { NewsSource } from '../../../src-main/contract/model/sync-status.ts';
import { DEFAULT_SETTINGS } from '../../../src-main/contract/settings.ts';
import type { KeyStore } from '../../../src-main/contract/ports.ts';
import { GatewayCredentials } from '../../../src-main/core/credentials/gateway-credentials.ts';
import { resolveGateway } from '../../../src-main/core/settings/sources.ts';
import type { Engine } from '../../../src-main/core/types.ts';
import type { EngineGateway } from '../../../src-main/sync/engine/services.ts';
import { memoryKeys, type OpenKeyStore } from '../../support/keys.ts';

const KEY = 'mgmt-7Qx2LrVb9TzKp4WnYc8HsJd3FgMa6Ue1';
const HOME = 'https://gateway.example/models';
const ORIGIN = 'https://gateway.example';
const NEWS: NewsSource = { address: 'https://news.example', demo: false, from: 'settings' };

/** Credentials with an engine that records its calls and answers key tests as set up. */
function openCredentials(keys: KeyStore = memoryKeys(), address: string | null = HOME) {
  const used: (EngineGateway | null)[] = [];
  const tried: EngineGateway[] = [];
  const events: { event: string; payload: unknown }[] = [];
  const called: string[] = [];
  const answers: { code: ErrorCode | null; after: Promise<unknown> } = { code: null, after: Promise.resolve() };
  const call = async (name: string, gateway: EngineGateway | null): Promise<unknown> => {
    if (name === 'useGateway') return used.push(gateway);
    if (name === 'tryGateway' && gateway) {
      tried.push(gateway);
      const { code, after } = answers;
      await after;
      return { failure: code && toFailure(new BroadsheetError(code, 'As the gateway said.')) };
    }
    called.push(name);
    throw new BroadsheetError('closed', 'Nothing is synced here.');
  };
  const engine: Engine = { call: call as Engine['call'] };
  let turn: Promise<unknown> = Promise.resolve();
  const credentials = new GatewayCredentials({
    ports: { keys, gateway: (settings, news) => resolveGateway({ settings, news }) },
    emit: (event, payload) => void events.push({ event, payload }),
    engine: () => engine,
    inTurn(work) {
      const next = turn.then(work);
      turn = next.catch(() => undefined);
      return next;
    },
  });
  const goTo = (modelsAddress: string | null) => credentials.goTo({ ...DEFAULT_SETTINGS, modelsAddress }, NEWS);
  const chosen = credentials.choose({ ...DEFAULT_SETTINGS, modelsAddress: address }, NEWS);
  return { credentials, used, tried, events, called, answers, goTo, chosen };
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'none',
    (error: unknown) => toFailure(error).code,
  );
}

describe('a key that is entered', () => {
  it('is tested at once, saved for the origin of the test, and shown by its last characters', async () => {
    const keys = memoryKeys();
    const { credentials, tried, used, events } = openCredentials(keys);
    const { gateway, kept, failure } = await credentials.setKey(KEY);
    expect([kept, failure]).toEqual([true, null]);
    expect(tried).toEqual([{ source: gateway.source, key: KEY, keyEnding: null }]);
    expect(keys.kept).toEqual({ credential: { key: KEY, origin: ORIGIN }, from: 'thisRun' });
    expect(used.at(-1)).toEqual({ source: gateway.source, key: KEY, keyEnding: '6Ue1' });
    expect(gateway.key).toMatchObject({ from: 'thisRun', lastFour: '6Ue1', origin: ORIGIN, inUse: true, unused: null });
    expect(events).toEqual([{ event: 'gateway.changed', payload: gateway }]);
    expect(JSON.stringify([gateway, events])).not.toContain(KEY.slice(0, -4));
  });

  it.each<[ErrorCode, boolean]>([
    ['unauthorized', false],
    ['forbidden', false],
    ['invalid_request', false],
    ['key_not_sent', false],
    ['unreachable', true],
    ['timeout', true],
    ['service_error', true],
    ['rate_limited', true],
  ])('whose test ends with %s is saved: %s', async (code, kept) => {
    const keys = memoryKeys();
    const { credentials, answers, used } = openCredentials(keys);
    answers.code = code;
    expect(await credentials.setKey(KEY)).toMatchObject({ kept, failure: { code } });
    expect([keys.kept !== null, used.length > 0]).toEqual([kept, kept]);
  });

  it('and rejected leaves the old one in use', async () => {
    const { credentials, answers } = openCredentials();
    await credentials.setKey(KEY);
    answers.code = 'forbidden';
    const { gateway } = await credentials.setKey('another-key-that-is-refused');
    expect(gateway.key).toMatchObject({ lastFour: '6Ue1', inUse: true });
  });

  it('that cannot be saved leaves the old one in use, with an error', async () => {
    const keys = memoryKeys();
    const { credentials, used } = openCredentials(keys);
    await credentials.setKey(KEY);
    keys.failure = new BroadsheetError('disk_full', 'The disk is full.');
    expect(await codeOf(credentials.setKey('another-key-for-which-no-room-is'))).toBe('disk_full');
    expect(await codeOf(credentials.removeKey())).toBe('disk_full');
    expect(credentials.gateway.key).toMatchObject({ lastFour: '6Ue1', inUse: true });
    expect(used.at(-1)?.key).toBe(KEY);
  });

  it('is not shown at all if four characters would reveal too much', async () => {
    const { credentials } = openCredentials();
    expect((await credentials.setKey('elevenchars')).gateway.key).toMatchObject({ lastFour: null, inUse: true });
  });

  it.each(['http://gateway.example', 'http://192.168.1.7:8080', 'http://localhost.example'])(
    'is not tested over plain http: %s',
    async (address) => {
      const keys = memoryKeys();
      const { credentials, tried } = openCredentials(keys, address);
      expect(await credentials.setKey(KEY)).toMatchObject({ kept: false, failure: { code: 'key_not_sent' } });
      expect([tried, keys.kept]).toEqual([[], null]);
    },
  );

  it.each(['http://127.0.0.1:4000', 'http://localhost:4000', 'http://[::1]:4000'])(
    'may be sent to %s',
    async (address) => {
      expect((await openCredentials(memoryKeys(), address).credentials.setKey(KEY)).gateway.key.inUse).toBe(true);
    },
  );
});

describe('a key for another origin', () => {
  const OTHERS = ['https://gateway.example:8443', 'https://eu.gateway.example', 'https://gateway.example.evil.example'];

  it.each(OTHERS)('is not sent to %s until the user allows it', async (address) => {
    const { credentials, used, tried, goTo } = openCredentials();
    await credentials.setKey(KEY);
    await goTo(address);
    expect(used.at(-1)).toMatchObject({ source: { address }, key: null, keyEnding: null });
    expect(credentials.gateway.key).toMatchObject({ origin: ORIGIN, inUse: false, unused: 'otherOrigin' });
    const before = tried.length;
    expect((await credentials.allowKey()).gateway.key).toMatchObject({ origin: address, inUse: true, unused: null });
    expect(tried.slice(before)).toMatchObject([{ source: { address }, key: KEY }]);
    expect(used.at(-1)?.key).toBe(KEY);
  });

  it('stays with its origin if the other one rejects it', async () => {
    const { credentials, answers, goTo } = openCredentials();
    await credentials.setKey(KEY);
    await goTo(OTHERS[0]!);
    answers.code = 'forbidden';
    expect((await credentials.allowKey()).gateway.key).toMatchObject({
      origin: ORIGIN,
      inUse: false,
      unused: 'otherOrigin',
    });
  });

  it('needs no permission for its own origin, nor after switching back', async () => {
    const { credentials, used, goTo } = openCredentials();
    await credentials.setKey(KEY);
    await goTo('https://gateway.example/another/path');
    expect(used.at(-1)?.key).toBe(KEY);
    await goTo(OTHERS[0]!);
    await goTo(HOME);
    expect(used.at(-1)?.key).toBe(KEY);
  });

  it('from the environment is not sent elsewhere either, nor over plain http', () => {
    const elsewhere = openCredentials(memoryKeys({ key: KEY, origin: 'https://other.example' }));
    expect(elsewhere.chosen).toMatchObject({ key: null });
    const open = openCredentials(memoryKeys({ key: KEY, origin: 'http://gateway.example' }), 'http://gateway.example');
    expect(open.chosen).toMatchObject({ key: null });
    expect(open.credentials.gateway.key).toMatchObject({ from: 'environment', inUse: false, unused: 'insecure' });
  });
});

describe('changes during a test', () => {
  it.each<[string, (room: ReturnType<typeof openCredentials>) => Promise<unknown>, string | undefined]>([
    ['another key', ({ credentials }) => credentials.setKey('the-key-that-came-later'), 'the-key-that-came-later'],
    ['its removal', ({ credentials }) => credentials.removeKey(), undefined],
    ['another gateway', ({ goTo }) => goTo('https://other.example'), undefined],
  ])('a test that ends after %s saves nothing', async (_what, meanwhile, left) => {
    const keys: OpenKeyStore = memoryKeys();
    const room = openCredentials(keys);
    const slow = Promise.withResolvers<undefined>();
    room.answers.after = slow.promise;
    const trial = codeOf(room.credentials.setKey(KEY));
    room.answers.after = Promise.resolve();
    await meanwhile(room);
    slow.resolve(undefined);
    expect(await trial).toBe('aborted');
    expect(keys.kept?.credential.key).toBe(left);
    expect(room.used.map((gateway) => gateway?.key)).not.toContain(KEY);
  });

  it('a removed key is removed from engine and page', async () => {
    const { credentials, used, events } = openCredentials();
    await credentials.setKey(KEY);
    const gateway = await credentials.removeKey();
    expect(gateway.key).toMatchObject({ from: null, lastFour: null, origin: null, inUse: false, unused: null });
    expect(used.at(-1)).toEqual({ source: gateway.source, key: null, keyEnding: null });
    expect(events.at(-1)).toEqual({ event: 'gateway.changed', payload: gateway });
  });
});

describe('while the keychain prompts the user', () => {
  function slowKeys() {
    const asking = Promise.withResolvers<undefined>();
    const keys = memoryKeys();
    return { asking, keys: Object.assign(keys, { ready: asking.promise }) };
  }

  it('no request is sent to the gateway; afterwards all with the key', async () => {
    const { asking, keys } = slowKeys();
    const { chosen, used, events, credentials } = openCredentials(keys);
    expect(chosen).toBeNull();
    keys.kept = { credential: { key: KEY, origin: ORIGIN }, from: 'keychain' };
    asking.resolve(undefined);
    await asking.promise;
    await credentials.removeKey();
    expect(used.map((gateway) => gateway?.key)).toEqual([KEY, null]);
    expect(events[0]).toMatchObject({ event: 'gateway.changed', payload: { key: { from: 'keychain', inUse: true } } });
  });

  it('no sync is started afterwards: the user may not want one', async () => {
    const { asking, keys } = slowKeys();
    const { used, called, credentials } = openCredentials(keys);
    asking.resolve(undefined);
    await vi.waitUntil(() => used.length === 1);
    expect(called).toEqual([]);
    await credentials.removeKey();
    expect(called).toEqual(['sync.run']);
  });

  it('a key that is entered does not wait', async () => {
    const { keys } = slowKeys();
    const { credentials, used } = openCredentials(keys);
    await credentials.setKey(KEY);
    expect(used.at(-1)?.key).toBe(KEY);
  });
});

describe('the built-in gateway', () => {
  const DEMO: NewsSource = { address: 'http://127.0.0.1:4321', demo: true, from: 'demo' };
  const atDemo = (keys: KeyStore, news = DEMO) => {
    const room = openCredentials(keys);
    return { ...room, chosen: room.credentials.choose(DEFAULT_SETTINGS, news) };
  };

  it('has its own key and accepts no other', async () => {
    const keys = memoryKeys({ key: KEY, origin: ORIGIN });
    const { credentials, chosen, tried } = atDemo(keys);
    expect(chosen).toMatchObject({ key: 'demo-key', keyEnding: null });
    expect(credentials.gateway.key).toMatchObject({ from: 'demo', lastFour: null, inUse: true });
    expect(await codeOf(credentials.setKey('another-key-altogether'))).toBe('not_supported');
    expect(await codeOf(credentials.allowKey())).toBe('not_supported');
    expect([tried, keys.kept?.credential.key]).toEqual([[], KEY]);
  });

  it('is only used with the built-in news, also when only reading', () => {
    expect(resolveGateway({ settings: DEFAULT_SETTINGS, news: NEWS })).toBeNull();
    const stored: GatewaySource = { address: '', demo: true, from: 'demo' };
    expect(resolveGateway({ settings: DEFAULT_SETTINGS, news: { ...stored, from: 'demo' } })).toEqual(stored);
  });
});
