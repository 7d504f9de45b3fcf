/** Whether a text can be the base address of a service: http or https, without credentials, query or fragment. */
export function isServiceAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url) return false;
  return isWeb(url) && !url.search && !url.hash;
}

/**
 * The one spelling of a service address by which its data is named; null for a text that is none. Equal are: letter case
 * of scheme and host, spellings of an IPv4 address, a default port, dots at the end of the host, slashes at the end of
 * the path, and percent-encodings of the same characters.
 */
export function normalServiceAddress(text: string): string | null {
  const url = isServiceAddress(text) ? URL.parse(text) : null;
  if (!url) return null;
  const host = url.hostname.replace(/\.+$/, '');
  if (host === '') return null;
  const port = url.port === '' ? '' : `:${url.port}`;
  return `${url.protocol}//${host}${port}${normalPath(url.pathname)}`;
}

/** Only characters that never need it are decoded: an encoded slash is not a slash. */
function normalPath(path: string): string {
  return path
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : code.toUpperCase();
    })
    .replace(/\/+$/, '');
}

/**
 * The normalised form of a link that may be opened, or null. Returning what the parser read ensures that the checked
 * address is the one that is opened. Only http and https, without a user name: other schemes can start any program on
 * the system.
 */
export function safeLink(text: string | null | undefined): string | null {
  const url = URL.parse(text ?? '');
  return url && isWeb(url) ? url.href : null;
}

/** Whether a secret may be sent to an address: it uses https or stays on this machine. */
export function canCarrySecrets(address: string): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** Host names that stay on this machine. The URL parser has already normalised every spelling of an IPv4 address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function isWeb({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && !username && !password;
}
