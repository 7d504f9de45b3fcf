/** How long an answer counts as fresh when it does not say. Document 1 names 60 s for what changes often. */
const DEFAULT_LIFETIME_MS = 60_000;

/** A longer lifetime is a slip of a proxy; it would silence a resource for good. */
const LONGEST_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

const DIRECTIVE = /([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,]*)))?/g;

/**
 * The lifetime of an answer in ms (document 1 section 1: `s-maxage` is the minimum polling interval), else `max-age`,
 * else {@link DEFAULT_LIFETIME_MS}. `Age` is not taken off: the service asks for the interval, whichever cache answers.
 * `no-store` and `no-cache` give no interval of their own, and are no leave to poll without pause.
 */
export function lifetimeOf(cacheControl: string | undefined): number {
  const directives = parse(cacheControl ?? '');
  const seconds = secondsIn(directives.get('s-maxage')) ?? secondsIn(directives.get('max-age'));
  return seconds === null ? DEFAULT_LIFETIME_MS : Math.min(seconds * 1000, LONGEST_LIFETIME_MS);
}

/** The first of repeated directives counts (RFC 9111 section 4.2.1). */
function parse(header: string): Map<string, string> {
  const directives = new Map<string, string>();
  for (const [, name, quoted, plain] of header.matchAll(DIRECTIVE)) {
    const key = name?.toLowerCase() ?? '';
    if (!directives.has(key)) directives.set(key, quoted ?? plain ?? '');
  }
  return directives;
}

function secondsIn(value: string | undefined): number | null {
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : null;
}
