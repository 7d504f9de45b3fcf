import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Conf from 'conf';
import { beforeEach, describe, expect, it } from 'vitest';
import { BroadsheetError } from '../../../src-main/contract/errors.ts';
import type { FolderKey } from '../../../src-main/contract/model/devices.ts';
import type { Credential } from '../../../src-main/contract/ports.ts';
import { openJsonFile } from '../../../src-main/core/files/json-file.ts';
import { Keychain, FolderKeychain } from '../../../src-main/electron/security/keychain.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { record } from '../fake/records.ts';
import { fakeVault } from '../fake/vault.ts';

const ORIGIN = 'https://gateway.example';
const KEY = 'mgmt-7Qx2LrVb9TzKp4WnYc8HsJd3FgMa6Ue1';
const OURS: Credential = { key: KEY, origin: ORIGIN };

interface System {
  folder?: string;
  given?: Credential;
  platform?: NodeJS.Platform;
  /** As in the fake's environment variables. */
  vault?: Record<string, string>;
  fullDisk?: boolean;
}

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  record.vault.length = 0;
});

/** A start of the app with the current file and the system's keychain. */
async function start({ given, platform = 'linux', vault = {}, fullDisk = false }: System = {}) {
  const log: string[] = [];
  const file = openJsonFile({
    folder,
    name: 'key',
    clock: fakeClock(),
    log: (_level, message) => void log.push(message),
    openWriter: () => (fullDisk ? FULL : new Conf({ cwd: folder, configName: 'key' })),
  });
  const keychain = new Keychain({
    vault: fakeVault(() => true, vault),
    platform,
    file,
    log: (_level, message, fields) => void log.push(message + JSON.stringify(fields ?? {})),
    given: given ?? null,
  });
  await keychain.ready;
  return { keychain, log };
}

const FULL = {
  set: () => {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  },
};

function fileText(): string {
  return readFileSync(join(folder, 'key.json'), 'utf8');
}

/** Neither the text nor its bytes in any encoding. */
function expectNoKeyIn(text: string): void {
  for (const form of [KEY, KEY.toLowerCase(), Buffer.from(KEY).toString('base64'), Buffer.from(KEY).toString('hex')])
    expect(text).not.toContain(form.slice(0, 16));
}

describe('a key in the keychain', () => {
  it('is available at the next start, with its origin', async () => {
    const { keychain } = await start();
    expect([keychain.keeping, keychain.keepingReason]).toEqual(['keychain', null]);
    await keychain.save(OURS);
    expect(keychain.get()).toEqual({ credential: OURS, from: 'keychain' });
    expect((await start()).keychain.get()).toEqual({ credential: OURS, from: 'keychain' });
  });

  it('is encrypted in its file together with the origin, so that it cannot be moved to another one', async () => {
    const { keychain } = await start();
    await keychain.save(OURS);
    expect(Object.keys(JSON.parse(fileText()) as object)).toEqual(['sealed']);
    const { sealed } = JSON.parse(fileText()) as { sealed: string };
    for (const text of [fileText(), Buffer.from(sealed, 'base64').toString('latin1')]) {
      expectNoKeyIn(text);
      expect(text).not.toContain('gateway.example');
    }
  });

  it('is removed from memory and file', async () => {
    const { keychain } = await start();
    await keychain.save(OURS);
    keychain.forget();
    expect(keychain.get()).toBeNull();
    expect(JSON.parse(fileText())).toEqual({ sealed: null });
    expect((await start()).keychain.get()).toBeNull();
  });

  it('is replaced by the next one', async () => {
    const { keychain } = await start();
    await keychain.save(OURS);
    await keychain.save({ key: 'another', origin: 'https://other.example' });
    expect((await start()).keychain.get()?.credential).toEqual({ key: 'another', origin: 'https://other.example' });
  });

  it.each(['linux', 'darwin', 'win32'] as const)('is decrypted only if one is saved, on %s', async (platform) => {
    await start({ platform });
    expect(record.vault).toEqual([]);
    await (await start({ platform })).keychain.save(OURS);
    await start({ platform });
    expect(record.vault).toEqual(['seal', 'open']);
  });

  it('is encrypted again if the system requests it', async () => {
    await (await start()).keychain.save(OURS);
    const before = fileText();
    const { keychain } = await start({ vault: { FAKE_ROTATED: '1' } });
    expect(keychain.get()?.credential).toEqual(OURS);
    expect(fileText()).not.toBe(before);
    expect((await start()).keychain.get()?.credential).toEqual(OURS);
  });

  it('stays saved if the disk is full when it is replaced or removed', async () => {
    await (await start()).keychain.save(OURS);
    const { keychain } = await start({ fullDisk: true });
    const refused = keychain.save({ key: 'another', origin: ORIGIN });
    await expect(refused).rejects.toMatchObject({ code: 'disk_full' });
    expect(() => keychain.forget()).toThrow(BroadsheetError);
    expect(keychain.get()?.credential).toEqual(OURS);
  });
});

describe('without a secure keychain', () => {
  it.each<[why: string, system: System, expected: 'plainText' | 'unavailable']>([
    ['only the fixed password on Linux', { vault: { FAKE_CIPHER: 'v10' } }, 'plainText'],
    ['none at all', { vault: { FAKE_KEYCHAIN: 'none' } }, 'unavailable'],
    ['none at all, on Windows', { platform: 'win32', vault: { FAKE_KEYCHAIN: 'none' } }, 'unavailable'],
  ])('a key is held for this run only, with the reason: %s', async (_why, system, expected) => {
    const { keychain } = await start(system);
    await keychain.save(OURS);
    expect(keychain.get()).toEqual({ credential: OURS, from: 'thisRun' });
    expect([keychain.keeping, keychain.keepingReason]).toEqual(['thisRun', expected]);
    expect(() => fileText()).toThrow('ENOENT');
    expect((await start(system)).keychain.get()).toBeNull();
  });

  it('a previously encrypted key stays until it is replaced', async () => {
    await (await start()).keychain.save(OURS);
    const before = fileText();
    const { keychain } = await start({ vault: { FAKE_CIPHER: 'v10', FAKE_KEYCHAIN: 'the fixed one' } });
    expect(keychain.get()).toBeNull();
    expect(fileText()).toBe(before);
    await keychain.save({ key: 'another', origin: ORIGIN });
    expect((await start()).keychain.get()).toBeNull();
  });

  it.each(['darwin', 'win32'] as const)('the prefix of plain text is normal ciphertext on %s', async (platform) => {
    const { keychain } = await start({ platform, vault: { FAKE_CIPHER: 'v10' } });
    await keychain.save(OURS);
    expect(keychain.get()?.from).toBe('keychain');
  });
});

describe('an encrypted key that cannot be decrypted', () => {
  it('counts as missing, and its file stays', async () => {
    await (await start()).keychain.save(OURS);
    const before = fileText();
    const { keychain, log } = await start({ vault: { FAKE_KEYCHAIN: "another user's" } });
    expect(keychain.get()).toBeNull();
    expect(keychain.keeping).toBe('keychain');
    expect(log).toHaveLength(1);
    expectNoKeyIn(log.join());
    expect(fileText()).toBe(before);
    expect((await start()).keychain.get()?.credential).toEqual(OURS);
  });

  it.each([
    ['text that is not base64', { sealed: '%%%' }],
    ['no text', { sealed: 7 }],
    ['invalid ciphertext', { sealed: Buffer.from('v11, and then anything at all').toString('base64') }],
    ['ciphertext that is too short', { sealed: 'djEx' }],
  ])('counts as missing if the file has %s', async (_what, content) => {
    writeFileSync(join(folder, 'key.json'), JSON.stringify(content));
    const { keychain } = await start();
    expect(keychain.get()).toBeNull();
    await keychain.save(OURS);
    expect((await start()).keychain.get()?.credential).toEqual(OURS);
  });

  it('counts as missing if the file is damaged', async () => {
    writeFileSync(join(folder, 'key.json'), '{"sealed": "');
    expect((await start()).keychain.get()).toBeNull();
  });

  it.each([
    ['a key that is invalid in a header', { key: 'a key', origin: ORIGIN }],
    ['an invalid origin', { key: KEY, origin: 'gateway' }],
    ['something else', [KEY]],
  ])('counts as missing if it decrypts to %s', async (_what, content) => {
    const sealed = await fakeVault(() => true, {}).encryptStringAsync(JSON.stringify(content));
    writeFileSync(join(folder, 'key.json'), JSON.stringify({ sealed: sealed.toString('base64') }));
    expect((await start()).keychain.get()).toBeNull();
  });
});

describe('a key from the environment', () => {
  const GIVEN: Credential = { key: 'from-the-environment', origin: ORIGIN };

  it('takes precedence for this run, without using the keychain', async () => {
    await (await start()).keychain.save(OURS);
    record.vault.length = 0;
    const { keychain } = await start({ given: GIVEN });
    expect(keychain.get()).toEqual({ credential: GIVEN, from: 'environment' });
    expect(record.vault).toEqual([]);
    expect((await start()).keychain.get()?.credential).toEqual(OURS);
  });

  it('is removed together with the one in the keychain', async () => {
    await (await start()).keychain.save(OURS);
    const { keychain } = await start({ given: GIVEN });
    keychain.forget();
    expect(keychain.get()).toBeNull();
    expect((await start()).keychain.get()).toBeNull();
  });
});

describe('while the keychain shows a prompt', () => {
  it('there is no key yet, and one entered in the meantime is kept', async () => {
    await (await start()).keychain.save(OURS);
    const slow = fakeVault(() => true, {});
    const asking = Promise.withResolvers<undefined>();
    const stored = openJsonFile({
      folder,
      name: 'key',
      clock: fakeClock(),
      log: () => undefined,
      openWriter: () => new Conf({ cwd: folder, configName: 'key' }),
    });
    const keychain = new Keychain({
      vault: { ...slow, decryptStringAsync: (cipher) => asking.promise.then(() => slow.decryptStringAsync(cipher)) },
      platform: 'linux',
      file: stored,
      log: () => undefined,
      given: null,
    });
    expect(keychain.get()).toBeNull();
    await keychain.save({ key: 'newer', origin: ORIGIN });
    asking.resolve(undefined);
    await keychain.ready;
    expect(keychain.get()?.credential.key).toBe('newer');
    expect((await start()).keychain.get()?.credential.key).toBe('newer');
  });
});

describe('the keys of the shared folder', () => {
  const MARKS: FolderKey[] = [{ salt: '01'.repeat(16), key: '5e'.repeat(32) }];

  async function open(vault: Record<string, string> = {}): Promise<FolderKeychain> {
    const keychain = new FolderKeychain({
      vault: fakeVault(() => true, vault),
      platform: 'linux',
      file: openJsonFile({
        folder,
        name: 'folder-key',
        clock: fakeClock(),
        log: () => undefined,
        openWriter: () => new Conf({ cwd: folder, configName: 'folder-key' }),
      }),
      log: () => undefined,
    });
    await keychain.ready;
    return keychain;
  }

  it('are encrypted, there after a restart, and removed when sharing ends', async () => {
    const text = (): string => readFileSync(join(folder, 'folder-key.json'), 'utf8');
    await (await open()).save(MARKS);
    expect(text()).not.toContain('5e5e5e');
    expect(text()).not.toContain(Buffer.from('5e5e5e').toString('base64').slice(0, 6));
    const again = await open();
    expect(again.get()).toEqual(MARKS);
    await again.save([]);
    expect((await open()).get()).toEqual([]);
    expect(text()).toContain('null');
  });
});
