/** A pattern of `webRequest` filters. */
export type UrlPattern = (url: string) => boolean;

/** The schemes of Chromium's match patterns, as far as they are known to Electron. */
const SCHEMES = ['http', 'https', 'ws', 'wss', 'ftp', 'file', 'data', 'chrome', 'chrome-extension', 'devtools', '*'];

/**
 * Reads `scheme://host/path` as Chromium does: `*` alone or `*.` before a host, and `*` anywhere in a path. `*` as a scheme
 * stands for http and https. Errors: those of Electron for what is no pattern.
 */
export function readPattern(pattern: string): UrlPattern {
  if (pattern === '<all_urls>') return () => true;
  const [, scheme, host, path] = /^([^:]*):\/\/([^/]*)(\/.*)?$/s.exec(pattern) ?? [];
  const reject = (why: string): never => {
    throw new TypeError(`Invalid url pattern ${pattern}: ${why}`);
  };
  if (scheme === undefined || host === undefined) return reject('Missing scheme separator.');
  if (!SCHEMES.includes(scheme)) reject('Wrong scheme');
  if (path === undefined) return reject('Empty path.');
  if (host === '' && scheme !== 'file') reject('Empty host.');
  if (!/^(?:\*|(?:\*\.)?[^*]*)$/.test(host)) reject('Invalid host wildcard.');
  const expression = new RegExp(`^${path.split('*').map(escaped).join('.*')}$`, 's');
  return (url) => {
    const { protocol, hostname, pathname, search } = new URL(url);
    const isScheme = scheme === '*' ? /^https?:$/.test(protocol) : protocol === `${scheme}:`;
    return isScheme && isHost(host, hostname) && expression.test(`${pathname}${search}`);
  };
}

function isHost(pattern: string, host: string): boolean {
  if (!pattern.startsWith('*')) return host === pattern;
  const domain = pattern.slice(2);
  return domain === '' || host === domain || host.endsWith(`.${domain}`);
}

function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}
