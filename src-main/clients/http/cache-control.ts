/** For responses without a lifetime. Document 1 gives 60 s for data that changes often. */
const DEFAULT_LIFETIME_MS = 60_000;

/** A service that asks for more would be silent for ever after one mistake (docs/decisions/188). */
const LONGEST_LIFETIME_MS = 7 * 24 * 3_600_000;

const DIRECTIVE = /([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,]*)))?/g;

/**
 * Returns ms: `s-maxage` (document 1 section 1: the minimum polling interval), else `max-age`, else the default, also
 * for `no-store` and `no-cache`. `Age` is not subtracted: the interval applies whichever cache answers.
 */
export function lifetimeOf(cacheControl: string | undefined): number {
  const directives = parse(cacheControl ?? '');
  const seconds = secondsIn(directives.get('s-maxage')) ?? secondsIn(directives.get('max-age'));
  return seconds === null ? DEFAULT_LIFETIME_MS : Math.min(seconds * 1000, LONGEST_LIFETIME_MS);
}

/** Uses the first of repeated directives (RFC 9111 section 4.2.1). */
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
