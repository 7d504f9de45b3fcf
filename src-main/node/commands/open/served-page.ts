import { openFragment, type Target } from '../../../contract/targets.ts';
import { rememberedAddress } from '../../serving.ts';

/** In ms. It is on this computer. */
const PATIENCE = 2_000;
const TICKET = /^\/\?ticket=[\w-]{1,100}$/;

/** Broadsheet's own page with something open in it. */
export interface ServedPage {
  /** Safe to show: a browser that is not signed in gets nothing from it. */
  address: string;
  /** Signs in one browser, once, within a minute. A secret. */
  entrance: string;
}

/** The page of the `serve` that uses a data folder; null if none answers, or a target has no address there. */
export async function servedPage(folder: string, target: Target): Promise<ServedPage | null> {
  const url = rememberedAddress(folder);
  const fragment = openFragment(target);
  if (url === null || fragment === null) return null;
  // Whoever took the port of a `serve` that crashed gets a token that is worth nothing any more.
  const { status, headers } = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) }).catch(
    () => Response.error(),
  );
  const ticket = headers.get('location') ?? '';
  if (status !== 303 || !TICKET.test(ticket)) return null;
  const { origin } = new URL(url);
  return { address: `${origin}/${fragment}`, entrance: `${origin}${ticket}${fragment}` };
}
