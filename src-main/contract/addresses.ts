/** Refuses credentials, query and fragment, which a base address can't have. */
export function isServiceAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && isWeb(url) && !url.search && !url.hash;
}

/** Completes what a person types: `news.example` is at https. Null if it can't be used. */
export function typedServiceAddress(text: string, scheme = 'https'): string | null {
  const typed = text.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `${scheme}://${typed}`;
  return !/\s/.test(typed) && isServiceAddress(address) ? address : null;
}

/** Returns the one spelling that names the data of a service, or null. The URL parser unifies case, ports and IPv4. */
export function normalServiceAddress(text: string): string | null {
  const url = isServiceAddress(text) ? URL.parse(text) : null;
  if (!url) return null;
  const host = url.hostname.replace(/\.+$/, '');
  if (host === '') return null;
  const port = url.port === '' ? '' : `:${url.port}`;
  return `${url.protocol}//${host}${port}${normalPath(url.pathname)}`;
}

/** Decodes only characters that never need encoding: an encoded slash is not a slash. */
function normalPath(path: string): string {
  return path
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : code.toUpperCase();
    })
    .replace(/\/+$/, '');
}

/** Returns the parsed address, so that the checked one is opened. Schemes other than http and https start programs. */
export function safeLink(text: string | null | undefined): string | null {
  const url = URL.parse(text ?? '');
  return url && isWeb(url) ? url.href : null;
}

export function canCarrySecrets(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
}

/** The URL parser has already normalized every spelling of an IPv4 address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function isWeb({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && !username && !password;
}

const TRACKING = /^(?:utm_.*|ref|ref_src|ref_url|fbclid|gclid|dclid|msclkid|igshid|mc_cid|mc_eid|spm|share_token)$/i;

/**
 * Returns the form in which two links to the same page are equal (observed-5-no-ids). Not for opening. It is saved, hashed:
 * a change of the rules needs other `RULES` in store/items/addresses.ts.
 */
export function canonicalAddress(link: string | null): string | null {
  const url = link === null ? null : URL.parse(link.trim());
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  const path = url.pathname.replace(/\/+$/, '');
  return `https://${url.host}${path}${canonicalQuery(url)}`;
}

function canonicalQuery({ search, searchParams }: URL): string {
  if (search === '') return '';
  const parameters = [...searchParams].filter(([name]) => !TRACKING.test(name));
  if (parameters.length === 0) return '';
  const pairs = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `?${pairs.sort().join('&')}`;
}
