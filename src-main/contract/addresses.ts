/** Whether a text can be the base address of a service: http(s), no credentials, no query, no fragment. */
export function isServiceAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url) return false;
  return isWeb(url) && !url.search && !url.hash;
}

/**
 * A link as the parser understood it, so that what was checked is what is opened; null for what is never opened. The
 * system starts whatever program claims a scheme, so http and https only, and nothing that carries a user name.
 */
export function safeLink(text: string | null | undefined): string | null {
  const url = URL.parse(text ?? '');
  return url && isWeb(url) ? url.href : null;
}

/** Whether a secret may be sent to an address: nobody on the way can read it. */
export function keepsSecrets(address: string): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** Names that never leave the machine. (The parser has brought every spelling of an IPv4 address to this one.) */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function isWeb({ protocol, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && !username && !password;
}
