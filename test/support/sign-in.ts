/** Headers that a browser sends with each call after it opened the printed address. */
export interface SignedIn {
  /** `name=value`. */
  cookie: string;
  key: string;
  headers: { cookie: string; origin: string; authorization: string };
}

/** Opens the printed address of the loopback server as a browser does: both redirects, and the key in the page. */
export async function signIn(address: string | URL): Promise<SignedIn> {
  const { origin } = new URL(address);
  const exchange = await fetch(address, { redirect: 'manual' });
  const cookie = exchange.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = await fetch(new URL(exchange.headers.get('location') ?? '', origin), { headers: { cookie } });
  const key = page.headers.get('broadsheet-key') ?? '';
  return { cookie, key, headers: { cookie, origin, authorization: `Bearer ${key}` } };
}

export function keyIn(page: string): string {
  return /<meta name="broadsheet-key" content="([\w-]+)">/.exec(page)?.[1] ?? '';
}
