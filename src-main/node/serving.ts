import { readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFragment, type Target } from '../contract/refs.ts';
import { writeAtomically } from '../core/files/atomic-write.ts';

/** Has the address of the `serve` that uses the data folder, because nobody reads the output of a service. Mode 0600. */
const NAME = 'serving.json';

/** Failures don't matter: the address is printed, too. */
export async function rememberAddress(folder: string, url: string): Promise<void> {
  await writeAtomically(join(folder, NAME), `${JSON.stringify({ url })}\n`).catch(() => undefined);
}

export async function forgetAddress(folder: string): Promise<void> {
  await rm(join(folder, NAME), { force: true }).catch(() => undefined);
}

/** After a crash it may be the address of a process that has ended. */
export function rememberedAddress(folder: string): string | null {
  try {
    const { url } = JSON.parse(readFileSync(join(folder, NAME), 'utf8')) as { url?: unknown };
    return typeof url === 'string' && URL.parse(url)?.hostname === '127.0.0.1' ? url : null;
  } catch {
    return null;
  }
}

const SESSION = 'session.json';

export interface Session {
  /** Keeps browsers signed in. Only the user may read it. */
  secret: string;
  port: number;
}

/** Null without one, also if others could have read it. */
export function savedSession(folder: string): Session | null {
  const file = join(folder, SESSION);
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) return null;
    const { secret, port } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Record<string, unknown>>;
    const isValid = typeof secret === 'string' && SECRET.test(secret) && Number.isInteger(port);
    return isValid && typeof port === 'number' && port > 0 && port < 65_536 ? { secret, port } : null;
  } catch {
    return null;
  }
}

const SECRET = /^[\w-]{43}$/;

export async function saveSession(folder: string, session: Session): Promise<void> {
  await writeAtomically(join(folder, SESSION), `${JSON.stringify(session)}\n`).catch(() => undefined);
}

/** In ms, on this computer. */
const PATIENCE = 2_000;
const TICKET = /^\/\?ticket=[\w-]{1,100}$/;

export interface ServedPage {
  /** Safe to show: a browser that is not signed in gets nothing from it. */
  address: string;
  /** Signs in one browser, once, within a minute. A secret. */
  entrance: string;
}

/** Finds the page of the `serve` that uses a data folder. Null if none answers, or the target has no address there. */
export async function servedPage(folder: string, target?: Target): Promise<ServedPage | null> {
  const url = rememberedAddress(folder);
  const fragment = target === undefined ? '' : writeFragment('open', target);
  if (url === null || fragment === null) return null;
  // A program that took the port of a crashed `serve` gets a token that is no longer valid.
  const { status, headers } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) }).catch(
    () => Response.error(),
  );
  const ticket = headers.get('location') ?? '';
  if (status !== 303 || !TICKET.test(ticket)) return null;
  const { origin } = new URL(url);
  return { address: `${origin}/${fragment}`, entrance: `${origin}${ticket}${fragment}` };
}
