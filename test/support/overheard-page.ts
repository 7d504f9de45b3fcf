import type { Args, MethodName, Reply, Result } from '../../src-main/contract/methods.ts';
import { fromFailure } from '../../src-main/contract/errors.ts';
import type { Evidence } from './leaks.ts';
import { signIn } from './sign-in.ts';

/** A page that records everything that the host sends, before parsing. */
export interface OverheardPage {
  /** Calls a method and throws its failure. */
  call<M extends MethodName>(method: M, args: Args<M>): Promise<Result<M>>;
  leave(): Promise<void>;
}

/** Opens the printed address like a browser, and subscribes to events. */
export async function overhear(address: string, evidence: Evidence): Promise<OverheardPage> {
  const { origin } = new URL(address);
  const headers = { ...(await signIn(address)).headers, 'content-type': 'application/json' };
  const hear = async (place: string, response: Response): Promise<string> => {
    const text = await response.text();
    evidence.add(place, `${response.status} ${JSON.stringify([...response.headers])} ${text}`);
    return text;
  };
  await hear('the page', await fetch(`${origin}/`, { headers }));
  const leaving = new AbortController();
  const events = await fetch(`${origin}/events`, { headers, signal: leaving.signal });
  const heard = (async () => {
    for await (const bytes of events.body ?? []) evidence.add('events', bytes as Uint8Array);
  })().catch(() => undefined);
  return {
    async call(method, args) {
      const body = JSON.stringify(args);
      const response = await fetch(`${origin}/call/${method}`, { method: 'POST', headers, body });
      const reply = JSON.parse(await hear(`replies to ${method}`, response)) as Reply<Result<typeof method>>;
      if (reply.ok) return reply.value;
      throw fromFailure(reply.error);
    },
    async leave() {
      leaving.abort();
      await heard;
    },
  };
}
