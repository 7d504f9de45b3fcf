import { createCipheriv, createDecipheriv, hash, randomBytes, scrypt } from 'node:crypto';
import { z } from 'zod';
import { DEVICE_ID, LAST_EPOCH } from '../../common/stamps.ts';
import { LATEST_TIME } from '../../common/time.ts';
import { SALT_PATTERN, type FolderKey } from '../../contract/model/devices.ts';
import { isRecordKey, isShared, readValue } from '../../contract/records.ts';
import type { Stamped } from '../../store/index.ts';

const RECORDS_A_LINE = 500;
const IDS_A_LINE = 131_072;
/** In bytes. The longest written one has some 800,000. */
export const MAX_LINE = 1_048_576;
/** Values of settings have a few levels. */
const MAX_DEPTH = 16;
const MAX_MEMBERS = 20_000;
const CHECKSUM_LENGTH = 16;

const LINE = /^\{"sum":"([0-9a-f]{16})","data":(.*)\}$/s;

export function addChecksum(content: string): string {
  return `{"sum":"${checksum(content)}","data":${content}}`;
}

export function checkLine(line: string): string | null {
  const [, sum, content] = LINE.exec(line) ?? [];
  return content !== undefined && checksum(content) === sum ? content : null;
}

/** The checksum is that of the encrypted text. */
export function lineOf(content: string, purpose: Purpose, device: string, key: FolderKey | null): string {
  return addChecksum(key ? seal(content, key, device, purpose) : content);
}

export type Opened = { content: string; isPlain: boolean } | 'broken' | 'sealed';

export function openLine(line: string, keys: readonly FolderKey[], purpose: Purpose): Opened {
  const content = line.length > MAX_LINE ? null : checkLine(line);
  if (content === null) return 'broken';
  const sealed = parseSealed(content);
  if (!sealed) return { content, isPlain: true };
  const ofSalt = keys.filter(({ salt }) => salt === sealed.salt);
  if (ofSalt.length === 0) return 'sealed';
  for (const key of ofSalt) {
    const opened = unseal(sealed, key, purpose);
    if (opened !== null) return { content: opened, isPlain: false };
  }
  return 'broken';
}

/** One line for many ids that were changed at once. Kinds of later versions are kept, too. */
const GROUP = z.object({
  k: z.string(),
  s: z.string().max(2048),
  by: z.string().regex(DEVICE_ID),
  e: z.int().min(0).max(LAST_EPOCH),
  t: z.int().min(0).max(LATEST_TIME),
  v: z.unknown(),
  ids: z.array(z.string().min(1).max(8192)).min(1).max(RECORDS_A_LINE),
});

export function contentsOf(records: readonly Stamped[]): string[] {
  const groups = new Map<string, { head: string; ids: string[] }>();
  for (const { kind, service, id, epoch, time, device, value } of records) {
    const head = `{"k":${JSON.stringify(kind)},"s":${JSON.stringify(service)},"by":"${device}","e":${String(epoch)},"t":${String(time)},"v":${value ?? 'null'}`;
    const group = groups.get(head) ?? { head, ids: [] };
    groups.set(head, group);
    group.ids.push(JSON.stringify(id));
  }
  return [...groups.values()].flatMap(({ head, ids }) =>
    split(ids).map((portion) => `${head},"ids":[${portion.join(',')}]}`),
  );
}

/** Leaves out what is invalid or not shared. Null if the content is larger or deeper than any version writes. */
export function recordsOf(content: string): Stamped[] | null {
  if (!isSmall(content)) return null;
  const group = parseJson(content);
  // A schema checks each of a million ids before it counts them.
  if (idsIn(group) > RECORDS_A_LINE) return null;
  const { success, data } = GROUP.safeParse(group);
  if (!success) return [];
  const { k: kind, s: service, by: device, e: epoch, t: time, ids } = data;
  const value = isShared(kind) ? readValue(kind, data.v) : undefined;
  if (value === undefined) return [];
  return ids
    .filter((id) => isRecordKey({ kind, service, id }))
    .map((id) => ({ kind, service, id, epoch, time, device, value }));
}

/** Protects recursive checks of values from depth; a million members take long to parse. */
function isSmall(json: string): boolean {
  let [depth, members, isText] = [0, 0, false];
  for (let at = 0; at < json.length && depth <= MAX_DEPTH && members <= MAX_MEMBERS; at += 1) {
    const character = json[at];
    if (isText) {
      if (character === '\\') at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === ',') members += 1;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
  }
  return depth <= MAX_DEPTH && members <= MAX_MEMBERS;
}

function idsIn(group: unknown): number {
  if (typeof group !== 'object' || group === null || !('ids' in group)) return 0;
  return Array.isArray(group.ids) ? group.ids.length : 0;
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

function split(ids: readonly string[]): string[][] {
  const all: string[][] = [];
  let last: string[] = [];
  let length = 0;
  for (const id of ids) {
    if (last.length === RECORDS_A_LINE || (last.length > 0 && length + id.length > IDS_A_LINE)) {
      all.push(last);
      last = [];
      length = 0;
    }
    last.push(id);
    length += id.length;
  }
  if (last.length > 0) all.push(last);
  return all;
}

function checksum(content: string): string {
  return hash('sha256', content, 'hex').slice(0, CHECKSUM_LENGTH);
}

export type Purpose = 'records' | 'about';

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
  salt: z.string().regex(SALT_PATTERN),
  by: z.string().regex(DEVICE_ID),
  data: z.string(),
});

export type Sealed = z.infer<typeof SEALED>;

/** Runs outside of this thread, because it is slow on purpose. */
export function deriveKey(passphrase: string, salt: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // Systems encode the same letters differently.
  scrypt(passphrase.normalize('NFC'), Buffer.from(salt, 'hex'), KEY_LENGTH, COSTS, (error, key) => {
    if (error) reject(error);
    else resolve(key.toString('hex'));
  });
  return promise;
}

export function newSalt(): string {
  return randomBytes(SALT_LENGTH).toString('hex');
}

export function seal(content: string, { salt, key }: FolderKey, by: string, purpose: Purpose): string {
  const nonce = randomBytes(NONCE_LENGTH);
  const cipher = createCipheriv(CIPHER, Buffer.from(key, 'hex'), nonce, { authTagLength: TAG_LENGTH });
  cipher.setAAD(boundData({ salt, by }, purpose));
  const data = Buffer.concat([nonce, cipher.update(content, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return JSON.stringify({ seal: SEAL, salt, by, data: data.toString('base64') } satisfies Sealed);
}

/** Null if the content is not sealed, or by a later version. */
export function parseSealed(content: string): Sealed | null {
  if (!content.startsWith('{"seal":')) return null;
  try {
    return SEALED.parse(JSON.parse(content));
  } catch {
    return null;
  }
}

export function unseal({ salt, by, data }: Sealed, { key }: FolderKey, purpose: Purpose): string | null {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length < NONCE_LENGTH + TAG_LENGTH) return null;
  const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'hex'), bytes.subarray(0, NONCE_LENGTH), {
    authTagLength: TAG_LENGTH,
  });
  decipher.setAAD(boundData({ salt, by }, purpose));
  decipher.setAuthTag(bytes.subarray(-TAG_LENGTH));
  try {
    const content = decipher.update(bytes.subarray(NONCE_LENGTH, -TAG_LENGTH));
    return Buffer.concat([content, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** A line that claims another device or purpose does not open. */
function boundData({ salt, by }: Pick<Sealed, 'salt' | 'by'>, purpose: Purpose): Buffer {
  return Buffer.from(`broadsheet-devices ${String(SEAL)} ${purpose} ${salt} ${by}`);
}
