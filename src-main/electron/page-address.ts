/** A separate origin, so that nothing else shares the page's storage or permissions. */
export const PAGE_SCHEME = 'app';
const PAGE_HOST = 'broadsheet';
export const PAGE_ADDRESS = `${PAGE_SCHEME}://${PAGE_HOST}/index.html`;

/** Whether an address belongs to the app's page. Compares scheme and host, because `app:` URLs have no origin. */
export function isPageAddress(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === `${PAGE_SCHEME}:` && url.host === PAGE_HOST;
}
