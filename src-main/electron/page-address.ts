/** The page has an origin of its own, so that nothing else on the machine shares its storage or its rights. */
export const PAGE_SCHEME = 'app';
const PAGE_HOST = 'broadsheet';
export const PAGE_ADDRESS = `${PAGE_SCHEME}://${PAGE_HOST}/index.html`;

/** Whether an address lies in the app's own page. Scheme and host are compared: a URL parser has no origin for `app:`. */
export function isPageAddress(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === `${PAGE_SCHEME}:` && url.host === PAGE_HOST;
}
