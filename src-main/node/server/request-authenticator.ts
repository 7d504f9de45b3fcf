import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The decision about a request. `exchange` sets the session cookie and redirects to the page. */
export type Decision =
  { kind: 'accepted' } | { kind: 'exchange'; cookie: string } | { kind: 'refused'; status: 400 | 403; why: string };

const ACCEPTED: Decision = { kind: 'accepted' };

/**
 * Authenticates requests to the loopback server. Every program and web page on this computer can reach a port on 127.0.0.1,
 * so a request must show three things: it is meant for this server (Host, against DNS rebinding), no other origin sent it
 * (Origin, Sec-Fetch-Site), and the browser has opened the printed address (cookie).
 *
 * The token in that address is valid as long as the process runs: users may open it in another browser or after clearing
 * cookies, and a browser that preloads addresses would consume a single-use token. It is accepted only in a GET of `/`, the
 * redirect removes it from the address bar at once, and the session has a different secret.
 */
export class RequestAuthenticator {
  readonly #token = newSecret();
  readonly #session = newSecret();
  readonly #port: number;
  readonly #cookieName: string;

  constructor(port: number) {
    this.#port = port;
    // Cookies ignore ports, so two servers would overwrite each other's cookie of the same name.
    this.#cookieName = `broadsheet-${port}`;
  }

  /** The address to print. Contains the token, so never log it. */
  get address(): string {
    return `http://127.0.0.1:${this.#port}/?token=${this.#token}`;
  }

  authenticate(request: IncomingMessage): Decision {
    const host = request.headers.host;
    if (host !== `127.0.0.1:${this.#port}` && host !== `localhost:${this.#port}`) return refused('wrong Host');
    if (!request.url?.startsWith('/')) return { kind: 'refused', status: 400, why: 'not a path' };
    const foreign = foreignSender(request, `http://${host}`);
    if (foreign) return refused(foreign);
    const token = offeredToken(request);
    if (token !== null) return sameSecret(token, this.#token) ? this.#exchange() : refused('wrong token');
    return this.#hasSession(request.headers.cookie) ? ACCEPTED : refused('no session');
  }

  #exchange(): Decision {
    return { kind: 'exchange', cookie: `${this.#cookieName}=${this.#session}; Path=/; HttpOnly; SameSite=Strict` };
  }

  #hasSession(cookies: string | undefined): boolean {
    const start = `${this.#cookieName}=`;
    const given = (cookies ?? '').split(/; */).filter((pair) => pair.startsWith(start));
    return given.some((pair) => sameSecret(pair.slice(start.length), this.#session));
  }
}

/** Why a request cannot come from our own page, or undefined. */
function foreignSender(request: IncomingMessage, ownOrigin: string): string | undefined {
  const { origin } = request.headers;
  if (origin !== undefined && origin !== ownOrigin) return 'foreign Origin';
  if (origin === undefined && request.method === 'POST') return 'no Origin';
  const site = request.headers['sec-fetch-site'];
  // `same-site` is not enough: other ports of 127.0.0.1 are the same site and get our SameSite cookie.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'foreign Sec-Fetch-Site';
  return undefined;
}

function offeredToken(request: IncomingMessage): string | null {
  if (request.method !== 'GET' || !request.url?.startsWith('/?')) return null;
  return new URLSearchParams(request.url.slice(2)).get('token');
}

function refused(why: string): Decision {
  return { kind: 'refused', status: 403, why };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares in constant time. Hashing makes the lengths equal, so that they reveal nothing. */
function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
