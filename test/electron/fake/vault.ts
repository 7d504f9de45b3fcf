import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type * as Electron from 'electron';
import { record } from './records.ts';

type Vault = Pick<Electron.SafeStorage, 'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync'>;

const CIPHER = 'aes-256-ctr';
const [PREFIX, IV, DIGEST] = [3, 16, 32];

/**
 * `safeStorage` with a keychain described by the environment: `FAKE_KEYCHAIN` is its secret (another value: another
 * user's; `none`: there is no keychain), `FAKE_CIPHER` the prefix of ciphertext (Chromium writes `v11` if the keychain
 * was used, `v10` for the fixed password), `FAKE_ROTATED` requests that ciphertext is encrypted again.
 */
export function fakeVault(
  isReady: () => boolean,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Vault {
  const { FAKE_KEYCHAIN = 'ours', FAKE_CIPHER = 'v11' } = environment;
  const secret = createHash('sha256').update(FAKE_KEYCHAIN).digest();
  const mustBeReady = (): void => {
    if (!isReady()) throw new Error('safeStorage cannot be used before app is ready');
  };
  return {
    isAsyncEncryptionAvailable: async () => isReady() && FAKE_KEYCHAIN !== 'none',
    async encryptStringAsync(plainText) {
      mustBeReady();
      record.vault.push('seal');
      const iv = randomBytes(IV);
      const cipher = createCipheriv(CIPHER, secret, iv);
      const body = Buffer.concat([cipher.update(digestOf(plainText)), cipher.update(plainText), cipher.final()]);
      return Buffer.concat([Buffer.from(FAKE_CIPHER), iv, body]);
    },
    async decryptStringAsync(encrypted) {
      mustBeReady();
      record.vault.push('open');
      const decipher = createDecipheriv(CIPHER, secret, encrypted.subarray(PREFIX, PREFIX + IV));
      const body = Buffer.concat([decipher.update(encrypted.subarray(PREFIX + IV)), decipher.final()]);
      const result = body.subarray(DIGEST).toString();
      if (!body.subarray(0, DIGEST).equals(digestOf(result))) throw new Error('Error while decrypting the ciphertext.');
      return { shouldReEncrypt: environment['FAKE_ROTATED'] !== undefined, result };
    },
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
