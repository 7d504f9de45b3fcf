/** Refuses credentials, query and fragment, which a base address can't have. */
export function isServiceAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url) return false;
  return isWeb(url) && !url.search && !url.hash;
}

/**
 * Returns the one spelling of a service address that names its data, or null. Ignores letter case of scheme and host,
 * spellings of an IPv4 address, default ports, dots after the host, slashes after the path, and needless
 * percent-encoding.
 */
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

/**
 * Returns the address to open, so that the checked one is opened, or null. Schemes other than http and https can start
 * any program.
 */
export function safeLink(text: string | null | undefined): string | null {
  const url = URL.parse(text ?? '');
  return url && isWeb(url) ? url.href : null;
}

/** Allows https, and http to this machine only. */
export function canCarrySecrets(address: string): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** The URL parser has already normalized every spelling of an IPv4 address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function isWeb({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && !username && !password;
}
