import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type * as Electron from 'electron';
import { record } from './records.ts';

type Vault = Pick<
  Electron.SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>;

const CIPHER = 'aes-256-ctr';
const [PREFIX, IV, DIGEST] = [3, 16, 32];

/**
 * `safeStorage` with a keychain that the environment describes: `STANDIN_BACKEND` is its name (`none`: there is none),
 * `STANDIN_KEYCHAIN` what it holds (another word: another user's), `STANDIN_CIPHER` what ciphers begin with (Chromium writes
 * `v11` where the keychain sealed them, `v10` where a password did that everybody knows), `STANDIN_ROTATED` that ciphers are
 * to be made anew.
 */
export function standinVault(
  isReady: () => boolean,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Vault {
  const { STANDIN_BACKEND = 'gnome_libsecret', STANDIN_KEYCHAIN = 'ours', STANDIN_CIPHER = 'v11' } = environment;
  const secret = createHash('sha256').update(STANDIN_KEYCHAIN).digest();
  const mustBeReady = (): void => {
    if (!isReady()) throw new Error('safeStorage cannot be used before app is ready');
  };
  return {
    isAsyncEncryptionAvailable: async () => isReady() && STANDIN_BACKEND !== 'none',
    getSelectedStorageBackend: () =>
      isReady() ? ((STANDIN_BACKEND === 'none' ? 'kwallet' : STANDIN_BACKEND) as 'kwallet') : 'unknown',
    async encryptStringAsync(plainText) {
      mustBeReady();
      record.vault.push('seal');
      const iv = randomBytes(IV);
      const cipher = createCipheriv(CIPHER, secret, iv);
      const body = Buffer.concat([cipher.update(digestOf(plainText)), cipher.update(plainText), cipher.final()]);
      return Buffer.concat([Buffer.from(STANDIN_CIPHER), iv, body]);
    },
    async decryptStringAsync(encrypted) {
      mustBeReady();
      record.vault.push('open');
      const decipher = createDecipheriv(CIPHER, secret, encrypted.subarray(PREFIX, PREFIX + IV));
      const body = Buffer.concat([decipher.update(encrypted.subarray(PREFIX + IV)), decipher.final()]);
      const result = body.subarray(DIGEST).toString();
      if (!body.subarray(0, DIGEST).equals(digestOf(result))) throw new Error('Error while decrypting the ciphertext.');
      return { shouldReEncrypt: environment['STANDIN_ROTATED'] !== undefined, result };
    },
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
