/** Characters that browsers accept in an address and RFC 3986 does not. */
const UNSAFE = /[|^`{}"<>\\[\]]|%(?![0-9a-f]{2})/gi;

/** Returns a valid http or https address (RFC 3986) as it is linked; null for anything else. */
export function webAddress(url: string | null | undefined): string | null {
  const target = url ? URL.parse(url) : null;
  if (!target || !/^https?:$/.test(target.protocol)) return null;
  // The brackets of an IPv6 address stay.
  const start = target.href.indexOf(target.host) + target.host.length;
  return target.href.slice(0, start) + target.href.slice(start).replace(UNSAFE, encodeURIComponent);
}
