import { Agent, fetch } from 'undici';
import { vi } from 'vitest';
import type { Wire } from '../../src-main/contract/wire.ts';
import { HttpWire } from '../../src-renderer/api/http-wire.ts';
import { signIn } from '../support/sign-in.ts';

/**
 * The page's HTTP wire, run as in a browser that opened `address`, with relative addresses, the session cookie and the page's
 * Origin. Only one at a time, because it replaces globals.
 */
export async function openPageOf(address: string): Promise<{ wire: Wire; leave(): Promise<void> }> {
  const { key, headers: sent } = await signIn(address);
  const { cookie, origin } = sent;
  const agent = new Agent();
  const asPage = agent.compose((dispatch) => (options, handler) => {
    return dispatch(
      { ...options, headers: { ...(options.headers as Record<string, string>), cookie, origin } },
      handler,
    );
  });
  const listening = Promise.withResolvers<null>();
  vi.stubGlobal('fetch', async (path: string, init: object) => {
    const response = await fetch(new URL(path, origin), { ...init, dispatcher: asPage });
    if (path === '/events') listening.resolve(null);
    return response;
  });
  const wire = new HttpWire(() => key);
  // The first listener opens the stream; earlier events would be missed.
  wire.on('settings.changed', () => undefined);
  await listening.promise;
  return {
    wire,
    async leave() {
      vi.unstubAllGlobals();
      await agent.destroy();
    },
  };
}
