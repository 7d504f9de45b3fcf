import { isServiceAddress } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';

export type Query = Readonly<Record<string, string | number | undefined>>;

/** Leaves out empty parameters: the service answers 400 to `limit=`. Errors: `invalid_argument`. */
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

/** Resolves a redirect within the service: same origin and path, no credentials. Errors: `redirect_refused`. */
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

export function isWithin(base: string, { origin, pathname, username, password }: URL): boolean {
  const home = new URL(base);
  return origin === home.origin && pathname.startsWith(folderOf(home)) && !username && !password;
}

export function pathWithin(base: string, { pathname, search }: URL): { path: string; query: string } {
  return { path: pathname.slice(folderOf(new URL(base)).length - 1), query: search };
}

/** Ends the base path with exactly one slash, so that `/news` does not cover `/newsletter`. */
function folderOf(url: URL): string {
  return `${url.pathname.replace(/\/+$/, '')}/`;
}

/** Returns the host only: the rest of an untrusted address can contain anything. */
export function hostOf(url: URL): string {
  return url.host || `a ${url.protocol} address`;
}
