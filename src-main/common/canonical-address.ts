const TRACKING = /^(?:utm_.*|ref|ref_src|ref_url|fbclid|gclid|dclid|msclkid|igshid|mc_cid|mc_eid|spm|share_token)$/i;

/**
 * Returns the form in which two links to the same page are equal (observed-5-no-ids): no default port, fragment,
 * tracking parameters or trailing slash, sorted parameters. For comparison only, not for opening. Null unless http or
 * https. Idempotent.
 */
export function canonicalAddress(link: string | null): string | null {
  const url = link === null ? null : URL.parse(link.trim());
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  const path = url.pathname.replace(/\/+$/, '');
  return `https://${url.host}${path}${canonicalQuery(url)}`;
}

function canonicalQuery({ search, searchParams }: URL): string {
  if (search === '') return '';
  const parameters = [...searchParams].filter(([name]) => !TRACKING.test(name));
  if (parameters.length === 0) return '';
  const pairs = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `?${pairs.sort().join('&')}`;
}
