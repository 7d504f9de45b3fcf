import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { z } from 'zod';
import { MACHINE_ID } from '../../common/marks.ts';
import { MARKS_SALT, type MarksKey } from '../../contract/model/marks-folder.ts';

/** One can't be passed off as the other. */
export type Purpose = 'marks' | 'about';

/** The salt and the key are in hexadecimal digits. */
export type DeriveKey = (passphrase: string, salt: string) => Promise<string>;

/** Seals 1: scrypt with these costs takes 128 MB and some 0.4 s; AES-256-GCM with a random nonce for each line. */
const SEAL = 1;
const COSTS = { N: 2 ** 17, r: 8, p: 1, maxmem: 192 * 1024 * 1024 } as const;
const CIPHER = 'aes-256-gcm';
const KEY_LENGTH = 32;
const SALT_LENGTH = 16;
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

const SEALED = z.object({
  seal: z.literal(SEAL),
  salt: z.string().regex(MARKS_SALT),
  by: z.string().regex(MACHINE_ID),
  data: z.string(),
});

/** Has everything that is needed to open it, except the passphrase. */
export type Sealed = z.infer<typeof SEALED>;

/** Runs outside of this thread: deriving a key is slow on purpose. */
export function deriveKey(passphrase: string, salt: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // The same letters are typed as other characters on another system.
  scrypt(passphrase.normalize('NFC'), Buffer.from(salt, 'hex'), KEY_LENGTH, COSTS, (error, key) => {
    if (error) reject(error);
    else resolve(key.toString('hex'));
  });
  return promise;
}

export function newSalt(): string {
  return randomBytes(SALT_LENGTH).toString('hex');
}

export function seal(content: string, { salt, key }: MarksKey, by: string, purpose: Purpose): string {
  const nonce = randomBytes(NONCE_LENGTH);
  const cipher = createCipheriv(CIPHER, Buffer.from(key, 'hex'), nonce, { authTagLength: TAG_LENGTH });
  cipher.setAAD(boundTo({ salt, by }, purpose));
  const data = Buffer.concat([nonce, cipher.update(content, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return JSON.stringify({ seal: SEAL, salt, by, data: data.toString('base64') } satisfies Sealed);
}

/** Null if the content is not sealed, or in a way that this version does not know. */
export function sealedOf(content: string): Sealed | null {
  if (!content.startsWith('{"seal":')) return null;
  try {
    return SEALED.parse(JSON.parse(content));
  } catch {
    return null;
  }
}

/** Null for another key or changed data. */
export function unseal({ salt, by, data }: Sealed, { key }: MarksKey, purpose: Purpose): string | null {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length < NONCE_LENGTH + TAG_LENGTH) return null;
  const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'hex'), bytes.subarray(0, NONCE_LENGTH), {
    authTagLength: TAG_LENGTH,
  });
  decipher.setAAD(boundTo({ salt, by }, purpose));
  decipher.setAuthTag(bytes.subarray(-TAG_LENGTH));
  try {
    const content = decipher.update(bytes.subarray(NONCE_LENGTH, -TAG_LENGTH));
    return Buffer.concat([content, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** Binds a line to its machine and purpose: one that claims another does not open. */
function boundTo({ salt, by }: Pick<Sealed, 'salt' | 'by'>, purpose: Purpose): Buffer {
  return Buffer.from(`broadsheet-marks ${String(SEAL)} ${purpose} ${salt} ${by}`);
}
