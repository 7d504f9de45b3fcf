import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../contract/ports.ts';

/**
 * `exchange` redirects with the cookie, `welcome` is the page with cookie and keys, `home` redirects to the page; a `feed` has a
 * token of its own (live-feeds.ts).
 */
type Decision =
  | { kind: 'accepted' | 'home' | 'feed' }
  | { kind: 'exchange'; cookie: string; location: string }
  | { kind: 'welcome'; cookie: string; key: string; lastingKey: string }
  | { kind: 'refused'; status: 400 | 403; why: string };

const ACCEPTED: Decision = { kind: 'accepted' };
const BEARER = 'Bearer ';
const FEEDS = '/feed/';

/** In ms; a browser follows the redirect at once. */
const TICKET_LIFETIME = 60_000;
const TICKET_LIMIT = 32;
const COOKIE_LIFETIME = 400 * 24 * 3600;

/**
 * Every program and web page on this computer can reach a port on 127.0.0.1, so a request must show four things: it is
 * meant for this server (Host, against DNS rebinding), no other origin sent it (Origin, Sec-Fetch-Site), the browser has
 * opened the printed address (cookie), and, for calls and events, the page itself sent it (key). Browsers send a cookie of
 * 127.0.0.1 to every port, so programs on other ports may have the cookie; the key is in storage of our origin.
 *
 * The token in the printed address is valid as long as the process runs: users may open it in another browser or after
 * clearing cookies, and a browser that preloads addresses would consume a single-use token. In a GET of `/` it is exchanged
 * for a single-use ticket, so that only a worthless address gets into the history, and the ticket for the page with the
 * key. Cookie and key are other secrets than the token.
 *
 * Over restarts, a page makes the key from {@link run} and a lasting key that no script can read: a program that has the
 * port while Broadsheet is closed gets nothing that works later.
 */
export class RequestAuthenticator {
  readonly run = newSecret();
  readonly #token = newSecret();
  readonly #session: string;
  readonly #lastingKey: string;
  readonly #key: string;
  /** With the time (ms since 1970) until which each is valid. */
  readonly #tickets = new Map<string, number>();
  readonly #port: number;
  readonly #cookieName: string;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(port: number, clock: Pick<Clock, 'now'>, secret: string) {
    this.#port = port;
    this.#clock = clock;
    // Each port is another origin, which may have been another program's.
    this.#session = derive(secret, `cookie ${port}`);
    this.#lastingKey = derive(secret, `key ${port}`);
    this.#key = derive(this.#lastingKey, this.run);
    // Cookies ignore ports, so two servers would overwrite each other's cookie of the same name.
    this.#cookieName = `broadsheet-${port}`;
  }

  /** The address to print. Contains the token, so never log it. */
  get address(): string {
    return `http://127.0.0.1:${this.#port}/?token=${this.#token}`;
  }

  authenticate(request: IncomingMessage): Decision {
    const host = request.headers.host;
    if (host !== `127.0.0.1:${this.#port}` && host !== `localhost:${this.#port}`) return refuse('wrong Host');
    if (!request.url?.startsWith('/')) return { kind: 'refused', status: 400, why: 'not a path' };
    const foreign = foreignSender(request, `http://${host}`);
    const entry = readEntry(request);
    // A link or file that leads here is another site, but only ours have the secret.
    if (foreign && !(entry && isNavigation(request))) return refuse(foreign);
    if (request.url.startsWith(FEEDS)) return { kind: 'feed' };
    if (entry?.name === 'token') return this.#exchange(entry.secret);
    const hasSession = this.#hasSession(request.headers.cookie);
    if (entry?.name === 'ticket') return this.#welcome(entry.secret, !foreign && hasSession);
    if (!hasSession) return refuse('no session');
    return needsKey(request.url) && !this.#hasKey(request.headers.authorization) ? refuse('no key') : ACCEPTED;
  }

  #exchange(token: string): Decision {
    if (!sameSecret(token, this.#token)) return refuse('wrong token');
    const ticket = newSecret();
    this.#tickets.set(ticket, this.#clock.now() + TICKET_LIFETIME);
    // Maps keep insertion order: the oldest go.
    for (const old of [...this.#tickets.keys()].slice(0, -TICKET_LIMIT)) this.#tickets.delete(old);
    return { kind: 'exchange', cookie: this.#cookie, location: `/?ticket=${ticket}` };
  }

  /** A used ticket is in the address of a page that is opened again from the history. */
  #welcome(ticket: string, hasSession: boolean): Decision {
    const until = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    if (until !== undefined && this.#clock.now() <= until) {
      return { kind: 'welcome', cookie: this.#cookie, key: this.#key, lastingKey: this.#lastingKey };
    }
    return hasSession ? { kind: 'home' } : refuse('wrong ticket');
  }

  get #cookie(): string {
    return `${this.#cookieName}=${this.#session}; Path=/; Max-Age=${COOKIE_LIFETIME}; HttpOnly; SameSite=Strict`;
  }

  #hasSession(cookies: string | undefined): boolean {
    const start = `${this.#cookieName}=`;
    const given = (cookies ?? '').split(/; */).filter((pair) => pair.startsWith(start));
    return given.some((pair) => sameSecret(pair.slice(start.length), this.#session));
  }

  #hasKey(authorization: string | undefined): boolean {
    return authorization?.startsWith(BEARER) === true && sameSecret(authorization.slice(BEARER.length), this.#key);
  }
}

/** A browser requests the page's own files, which have no secrets, without the key. */
function needsKey(url: string): boolean {
  return /^\/(?:call\/|events(?:$|\?))/.test(url);
}

/** Returns the reason why a request can't come from our own page. */
function foreignSender(request: IncomingMessage, ownOrigin: string): string | undefined {
  const { origin } = request.headers;
  if (origin !== undefined && origin !== ownOrigin) return 'foreign Origin';
  if (origin === undefined && request.method === 'POST') return 'no Origin';
  const site = request.headers['sec-fetch-site'];
  // `same-site` is not enough: other ports of 127.0.0.1 are the same site and get our SameSite cookie.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'foreign Sec-Fetch-Site';
  return undefined;
}

/** True if a browser opens the address as a page, not in a frame or by a script. */
function isNavigation({ headers }: IncomingMessage): boolean {
  const isPage = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return headers.origin === undefined && isPage;
}

function readEntry(request: IncomingMessage): { name: 'token' | 'ticket'; secret: string } | null {
  if (request.method !== 'GET' || !request.url?.startsWith('/?')) return null;
  const query = new URLSearchParams(request.url.slice(2));
  for (const name of ['token', 'ticket'] as const) {
    const secret = query.get(name);
    if (secret !== null) return { name, secret };
  }
  return null;
}

function refuse(why: string): Decision {
  return { kind: 'refused', status: 403, why };
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function derive(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}

/** Compares in constant time. Hashing makes the lengths equal, so that they reveal nothing. */
export function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
