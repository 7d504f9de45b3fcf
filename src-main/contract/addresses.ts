/** Whether a text can be the base address of a service: http or https, without credentials, query or fragment. */
export function isServiceAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url) return false;
  return isWeb(url) && !url.search && !url.hash;
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
