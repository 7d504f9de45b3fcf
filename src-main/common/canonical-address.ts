/** What campaigns and share buttons hang on an address: it says where a reader came from, not what is read. */
const TRACKING = /^(?:utm_.*|ref|ref_src|ref_url|fbclid|gclid|dclid|msclkid|igshid|mc_cid|mc_eid|spm|share_token)$/i;

/**
 * The address under which two links to one original are the same (sheet 3, "Daily items carry no id"): lower-case host without
 * a default port, no fragment, no tracking parameters, the other parameters in order, no slash at the end. Made to be
 * compared, not to be opened. Null for what is no http or https address. Making it of one that is canonical changes nothing.
 */
export function canonicalAddress(link: string | null): string | null {
  const url = link === null ? null : URL.parse(link.trim());
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  // The platform's parser has put the host in lower case and has left out the scheme's own port.
  const path = url.pathname.replace(/\/+$/, '');
  // A site that answers on both schemes says the same on both.
  return `https://${url.host}${path}${canonicalQuery(url)}`;
}

function canonicalQuery({ search, searchParams }: URL): string {
  if (search === '') return '';
  const kept = [...searchParams].filter(([name]) => !TRACKING.test(name));
  if (kept.length === 0) return '';
  const pairs = kept.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `?${pairs.sort().join('&')}`;
}
