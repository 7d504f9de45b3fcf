/** The address in its normal form if it may be opened (http or https), else null. Texts of the service are never trusted to be links. */
export function safeLink(text: string | null | undefined): string | null {
  if (!text) return null;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return url.username || url.password ? null : url.href;
}

/** Whether a text can be the base address of a service: http(s), without user name, query or fragment. */
export function isServiceAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return !url.username && !url.password && !url.search && !url.hash;
}
