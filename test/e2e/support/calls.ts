import type { Args, MethodName, Reply, Result } from '../../../src-main/contract/methods.ts';
import { fromFailure } from '../../../src-main/contract/errors.ts';
import { signIn } from '../../support/sign-in.ts';

export interface Calls {
  /** Errors: those of the method. */
  call<M extends MethodName>(method: M, args: Args<M>): Promise<Result<M>>;
}

/** Calls of a loopback server as its page makes them, but without a window: loading a page costs a second. */
export async function callsOf(address: string): Promise<Calls> {
  const { headers } = await signIn(address);
  const { origin } = new URL(address);
  return {
    async call<M extends MethodName>(method: M, args: Args<M>) {
      const response = await fetch(`${origin}/call/${method}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(args),
      });
      const reply = (await response.json()) as Reply<Result<M>>;
      if (reply.ok) return reply.value;
      throw fromFailure(reply.error);
    },
  };
}
