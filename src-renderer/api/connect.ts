import type { Wire } from '../../src-main/contract/wire.ts';
import { HttpWire } from './http-wire.ts';

/** The loopback server puts the keys into these elements of the page behind the printed address. */
const KEY = 'meta[name="broadsheet-key"]';
const LASTING_KEY = 'meta[name="broadsheet-lasting-key"]';
const NAME = 'broadsheet.key';
const SIGNING = { name: 'HMAC', hash: 'SHA-256' };

/** Returns the desktop host's own wire if there is one, else HTTP to the page's origin. */
export function connect(): Wire {
  if (window.broadsheet) return window.broadsheet;
  return new HttpWire(sessionKey(), undefined, window.broadsheetFirst, renewKey);
}

/** Returns a function that reads the key for calls and events; null if this browser has none. All tabs share it. */
function sessionKey(): () => string | null {
  const given = takeMeta(KEY);
  const lasting = takeMeta(LASTING_KEY);
  if (given !== null) {
    // The address works only once.
    history.replaceState(history.state, '', location.pathname + location.hash);
    store(given);
  }
  if (lasting !== null) keepLastingKey(lasting).catch(() => undefined);
  return () => stored() ?? given;
}

function takeMeta(selector: string): string | null {
  const meta = document.querySelector<HTMLMetaElement>(selector);
  meta?.remove();
  return meta?.content ?? null;
}

function store(key: string): void {
  try {
    localStorage.setItem(NAME, key);
  } catch {
    // Storage may be disabled: the key then lasts until the page is reloaded.
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/** Makes the key of a server that was restarted. False if there is none other (docs/decisions/009). */
async function renewKey(): Promise<boolean> {
  const before = stored();
  const lasting = await inKeys<CryptoKey | undefined>('readonly', (keys) => keys.get(NAME));
  const response = await fetch('/run');
  if (!lasting || !response.ok) return false;
  const signature = await crypto.subtle.sign(SIGNING, lasting, new TextEncoder().encode(await response.text()));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(signature)));
  const key = base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  store(key);
  return stored() === key && key !== before;
}

/** Stores it so that it signs, and no script can read it. */
async function keepLastingKey(text: string): Promise<void> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(text), SIGNING, false, ['sign']);
  await inKeys('readwrite', (keys) => keys.put(key, NAME));
}

async function inKeys<T>(mode: IDBTransactionMode, work: (keys: IDBObjectStore) => IDBRequest): Promise<T> {
  const opening = indexedDB.open('broadsheet', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
  const database = await settle<IDBDatabase>(opening);
  try {
    return await settle<T>(work(database.transaction('keys', mode).objectStore('keys')));
  } finally {
    database.close();
  }
}

function settle<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as T);
    request.onerror = () => reject(request.error ?? new Error('No key could be read.'));
  });
}
