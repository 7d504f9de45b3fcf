import { isServiceAddress } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';

export type Query = Readonly<Record<string, string | number | undefined>>;

/**
 * The address of `path` (percent-encoded, with a leading slash) under a service's base address. Undefined and empty
 * parameters are left out, because the service answers 400 to `limit=`. A string query came from the service and is sent
 * unchanged. Errors: `invalid_argument` for an invalid base address, or a path that leaves it.
 */
export function serviceAddress(base: string, path: string, query: Query | string = {}): URL {
  if (!isServiceAddress(base)) {
    throw new BroadsheetError(
      'invalid_argument',
      'The service address must be an http or https address. Check it in Settings.',
    );
  }
  const url = new URL(base);
  const wanted = folderOf(url) + path.slice(1);
  url.pathname = wanted;
  if (!path.startsWith('/') || url.pathname !== wanted) {
    throw new BroadsheetError('invalid_argument', 'The requested path is outside the service address.');
  }
  if (typeof query === 'string') {
    url.search = query;
    return url;
  }
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.append(name, String(value));
  }
  return url;
}

/**
 * The target of a redirect, if it may be followed: same origin, under the same path, no credentials.
 * Errors: `redirect_refused`.
 */
export function redirectTarget(base: string, from: URL, location: string | undefined): URL {
  const target = location === undefined ? null : URL.parse(location, from.href);
  if (!target) {
    throw new BroadsheetError(
      'redirect_refused',
      'The service redirected without an address. Check the service address.',
    );
  }
  if (!isWithin(base, target)) {
    throw new BroadsheetError(
      'redirect_refused',
      `The service redirected to ${hostOf(target)}, outside its own address. The redirect was not followed. ` +
        'If the service has moved, change its address in Settings. On a guest network, sign in first.',
    );
  }
  target.hash = '';
  return target;
}

/** Checks that an address belongs to the service: same origin, under the same path, no credentials. */
export function isWithin(base: string, { origin, pathname, username, password }: URL): boolean {
  const home = new URL(base);
  return origin === home.origin && pathname.startsWith(folderOf(home)) && !username && !password;
}

/** An address of the service, split into the path below its base address and the query. */
export function pathWithin(base: string, { pathname, search }: URL): { path: string; query: string } {
  return { path: pathname.slice(folderOf(new URL(base)).length - 1), query: search };
}

/** The base path with exactly one slash at its end, so that `/news` does not cover `/newsletter`. */
function folderOf(url: URL): string {
  return `${url.pathname.replace(/\/+$/, '')}/`;
}

/** Host only: the rest of an untrusted address can contain anything. */
export function hostOf(url: URL): string {
  return url.host || `a ${url.protocol} address`;
}
