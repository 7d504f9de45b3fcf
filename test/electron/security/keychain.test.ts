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

/** A start of the app with the current file and the system's keychain, which may still be asking the user. */
function open(
  { given, platform = 'linux', vault = {}, fullDisk = false }: System = {},
  decrypts: Promise<unknown> = Promise.resolve(),
) {
  const log: string[] = [];
  const sound = fakeVault(() => true, vault);
  const keychain = new Keychain({
    vault: { ...sound, decryptStringAsync: (cipher) => decrypts.then(() => sound.decryptStringAsync(cipher)) },
    platform,
    file: stored('key', fullDisk),
    log: (_level, message, fields) => void log.push(message + JSON.stringify(fields ?? {})),
    given: given ?? null,
  });
  return { keychain, log };
}

async function start(system?: System) {
  const opened = open(system);
  await opened.keychain.ready;
  return opened;
}

function stored(name: string, fullDisk = false) {
  const openWriter = () => (fullDisk ? FULL : new Conf({ cwd: folder, configName: name }));
  return openJsonFile({ folder, name, clock: fakeClock(), log: () => undefined, openWriter });
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
  it('is encrypted in its file together with the origin, so that it cannot be moved to another one', async () => {
    const { keychain } = await start();
    await keychain.save(OURS);
    expect(Object.keys(JSON.parse(fileText()) as object)).toEqual(['sealed']);
    const { sealed } = JSON.parse(fileText()) as { sealed: string };
    for (const text of [fileText(), Buffer.from(sealed, 'base64').toString('latin1')]) {
      expectNoKeyIn(text);
      expect(text).not.toContain('gateway.example');
    }
    expect((await start()).keychain.get()).toEqual({ credential: OURS, from: 'keychain' });
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

// That a key is then held for this run only, with the reason, key.test.ts shows in the app.
describe('without a secure keychain', () => {
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
    const asking = Promise.withResolvers<undefined>();
    const { keychain } = open({}, asking.promise);
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

  const start = async (): Promise<FolderKeychain> => {
    const vault = fakeVault(() => true, {});
    const keychain = new FolderKeychain({ vault, platform: 'linux', file: stored('folder-key'), log: () => undefined });
    await keychain.ready;
    return keychain;
  };

  it('are encrypted, there after a restart, and removed when sharing ends', async () => {
    const text = (): string => readFileSync(join(folder, 'folder-key.json'), 'utf8');
    await (await start()).save(MARKS);
    expect(text()).not.toContain('5e5e5e');
    expect(text()).not.toContain(Buffer.from('5e5e5e').toString('base64').slice(0, 6));
    const again = await start();
    expect(again.get()).toEqual(MARKS);
    await again.save([]);
    expect((await start()).get()).toEqual([]);
    expect(text()).toContain('null');
  });
});
