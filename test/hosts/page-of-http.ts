import { Agent, EventSource, fetch } from 'undici';
import { vi } from 'vitest';
import type { Wire } from '../../src-main/contract/wire.ts';
import { HttpWire } from '../../src-renderer/api/http-wire.ts';

/**
 * The page's HTTP wire, run as in a browser that opened `address`, with relative addresses, the session cookie and the page's
 * Origin. Only one at a time, because it replaces globals.
 */
export async function openPageOf(address: string): Promise<{ wire: Wire; leave(): Promise<void> }> {
  const { origin } = new URL(address);
  const headers = { cookie: await sessionCookie(address), origin };
  const agent = new Agent();
  const asPage = agent.compose((dispatch) => (options, handler) => {
    return dispatch({ ...options, headers: { ...(options.headers as Record<string, string>), ...headers } }, handler);
  });
  const listening = Promise.withResolvers<Event>();
  vi.stubGlobal('fetch', (path: string, init: object) => fetch(new URL(path, origin), { ...init, dispatcher: asPage }));
  vi.stubGlobal(
    'EventSource',
    class extends EventSource {
      constructor(path: string) {
        super(new URL(path, origin), { node: { dispatcher: asPage } });
        this.addEventListener('open', listening.resolve);
        sources.push(this);
      }
    },
  );
  const sources: EventSource[] = [];
  const wire = new HttpWire();
  // The first listener opens the stream; earlier events would be missed.
  wire.on('settings.changed', () => undefined);
  await listening.promise;
  return {
    wire,
    async leave() {
      vi.unstubAllGlobals();
      for (const source of sources) source.close();
      await agent.destroy();
    },
  };
}

async function sessionCookie(address: string): Promise<string> {
  const response = await fetch(address, { redirect: 'manual' });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
