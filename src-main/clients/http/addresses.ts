import { isServiceAddress } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';

export type Query = Readonly<Record<string, string | number | undefined>>;

/**
 * The address of `path` (percent-encoded, with a leading slash) under a service's base address. A parameter that is undefined
 * or empty is not sent: the service answers 400 to `limit=`. A query as text is one that the service wrote: it is sent as is.
 * Errors: `invalid_argument` for a base that is none, or a path that would lead out of it.
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
    throw new BroadsheetError('invalid_argument', 'The path asked for is not one of the service.');
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
 * Where a redirect leads, if Broadsheet may go there: the same origin, under the same path, and no credentials in it.
 * Errors: `redirect_refused`.
 */
export function redirectTarget(base: string, from: URL, location: string | undefined): URL {
  const target = location === undefined ? null : URL.parse(location, from.href);
  if (!target) {
    throw new BroadsheetError(
      'redirect_refused',
      'The service sent Broadsheet on without saying where to. Check the service address.',
    );
  }
  if (!isWithin(base, target)) {
    throw new BroadsheetError(
      'redirect_refused',
      `The service sent Broadsheet on to ${hostOf(target)}, outside its own address, and that was not followed. ` +
        'If the service has moved, change its address in Settings; on a guest network, sign in to it first.',
    );
  }
  target.hash = '';
  return target;
}

/** Whether an address is one of the service: the same origin, under the same path, and no credentials in it. */
export function isWithin(base: string, { origin, pathname, username, password }: URL): boolean {
  const home = new URL(base);
  return origin === home.origin && pathname.startsWith(folderOf(home)) && !username && !password;
}

/** An address of the service as a path from its base address on, and its query. */
export function pathWithin(base: string, { pathname, search }: URL): { path: string; query: string } {
  return { path: pathname.slice(folderOf(new URL(base)).length - 1), query: search };
}

/** The base path with exactly one slash at its end, so that `/news` does not cover `/newsletter`. */
function folderOf(url: URL): string {
  return `${url.pathname.replace(/\/+$/, '')}/`;
}

/** Host only: the rest of a stranger's address can hold anything. */
export function hostOf(url: URL): string {
  return url.host || `a ${url.protocol} address`;
}
