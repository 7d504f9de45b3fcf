/** Parameters of campaigns and share buttons, which do not change the page. */
const TRACKING = /^(?:utm_.*|ref|ref_src|ref_url|fbclid|gclid|dclid|msclkid|igshid|mc_cid|mc_eid|spm|share_token)$/i;

/**
 * Normalizes an address, so that two links to the same page are equal (observed-5-no-ids): lower-case host without a default
 * port, no fragment, no tracking parameters, sorted parameters, no trailing slash. For comparison only, not for opening.
 * Returns null unless the address is http or https. Idempotent.
 */
export function canonicalAddress(link: string | null): string | null {
  const url = link === null ? null : URL.parse(link.trim());
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  // The URL parser lowercases the host and drops the default port.
  const path = url.pathname.replace(/\/+$/, '');
  // http and https versions of a page are the same.
  return `https://${url.host}${path}${canonicalQuery(url)}`;
}

function canonicalQuery({ search, searchParams }: URL): string {
  if (search === '') return '';
  const parameters = [...searchParams].filter(([name]) => !TRACKING.test(name));
  if (parameters.length === 0) return '';
  const pairs = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `?${pairs.sort().join('&')}`;
}
