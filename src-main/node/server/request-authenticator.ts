import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What the door says to a request. `exchange` hands out the session cookie and sends the browser on to the page. */
export type Admission =
  { kind: 'admitted' } | { kind: 'exchange'; cookie: string } | { kind: 'refused'; status: 400 | 403; why: string };

const ADMITTED: Admission = { kind: 'admitted' };

/**
 * The door of the loopback server. Every program and every web page on this machine can reach a port on 127.0.0.1, so a
 * request must prove three things: that it was meant for this server (Host, against DNS rebinding), that no foreign page
 * sent it (Origin, Sec-Fetch-Site), and that it comes from a browser that was once given the printed address (cookie).
 *
 * The token of that address stays good as long as the process lives: people open it again in another browser or after
 * clearing cookies, and browsers that preload an address would use up a token for one use before its owner could. It opens
 * only `/`, only for a GET, and the redirect takes it out of the address bar at once; it is not the session's own secret.
 */
export class RequestAuthenticator {
  readonly #token = newSecret();
  readonly #session = newSecret();
  readonly #port: number;
  readonly #cookieName: string;

  constructor(port: number) {
    this.#port = port;
    // Cookies ignore ports: two servers on one machine would overwrite each other's under one name.
    this.#cookieName = `broadsheet-${port}`;
  }

  /** The address to hand to the reader. It holds the token: print it for them, never log it. */
  get address(): string {
    return `http://127.0.0.1:${this.#port}/?token=${this.#token}`;
  }

  admit(request: IncomingMessage): Admission {
    const host = request.headers.host;
    if (host !== `127.0.0.1:${this.#port}` && host !== `localhost:${this.#port}`) return refused('wrong Host');
    if (!request.url?.startsWith('/')) return { kind: 'refused', status: 400, why: 'not a path' };
    const foreign = foreignSender(request, `http://${host}`);
    if (foreign) return refused(foreign);
    const token = offeredToken(request);
    if (token !== null) return sameSecret(token, this.#token) ? this.#exchange() : refused('wrong token');
    return this.#knows(request.headers.cookie) ? ADMITTED : refused('no session');
  }

  #exchange(): Admission {
    return { kind: 'exchange', cookie: `${this.#cookieName}=${this.#session}; Path=/; HttpOnly; SameSite=Strict` };
  }

  #knows(cookies: string | undefined): boolean {
    const start = `${this.#cookieName}=`;
    const given = (cookies ?? '').split(/; */).filter((pair) => pair.startsWith(start));
    return given.some((pair) => sameSecret(pair.slice(start.length), this.#session));
  }
}

/** Why a request cannot have come from our own page, or undefined if it can. */
function foreignSender(request: IncomingMessage, ownOrigin: string): string | undefined {
  const { origin } = request.headers;
  if (origin !== undefined && origin !== ownOrigin) return 'foreign Origin';
  if (origin === undefined && request.method === 'POST') return 'no Origin';
  const site = request.headers['sec-fetch-site'];
  // `same-site` is foreign too: another port of 127.0.0.1 is the same site and gets our SameSite cookie.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'foreign Sec-Fetch-Site';
  return undefined;
}

function offeredToken(request: IncomingMessage): string | null {
  if (request.method !== 'GET' || !request.url?.startsWith('/?')) return null;
  return new URLSearchParams(request.url.slice(2)).get('token');
}

function refused(why: string): Admission {
  return { kind: 'refused', status: 403, why };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares in constant time; hashing first makes lengths equal, so that they tell nothing either. */
function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
