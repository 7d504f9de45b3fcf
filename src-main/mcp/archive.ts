import pLimit from 'p-limit';
import type { Args, MethodName, Result } from '../contract/methods.ts';
import { BroadsheetError, fromFailure } from '../contract/errors.ts';
import type { Wire } from '../contract/wire.ts';

/** Calls a method and throws its failure. */
export type Call = <M extends MethodName>(method: M, args: Args<M>) => Promise<Result<M>>;

export interface OpenArchive {
  wire: Wire;
  close: () => Promise<void>;
}

/** Saved data, read while another process may write to it. */
export interface Archive {
  /** Errors: those of `work`; `not_found` if nothing is saved yet, `rate_limited` if too many calls wait. */
  read<T>(work: (call: Call) => Promise<T>): Promise<T>;
}

/** Calls that wait for the one that runs. A client that sends more does not wait for answers. */
export const MAX_WAITING = 64;

/**
 * Opens the files for each call and closes them after it, one call after another: an app that runs meanwhile can rename, repair
 * or replace its files, and an answer is never from files that were replaced (docs/decisions/122).
 */
export function openForEachCall(open: () => Promise<OpenArchive | undefined>): Archive {
  const oneAtATime = pLimit(1);
  return {
    async read(work) {
      if (oneAtATime.activeCount + oneAtATime.pendingCount >= MAX_WAITING) {
        throw new BroadsheetError('rate_limited', 'Too many calls at once. Wait for an answer first.', {
          retryable: true,
        });
      }
      return oneAtATime(() => readOnce(open, work));
    },
  };
}

async function readOnce<T>(open: () => Promise<OpenArchive | undefined>, work: (call: Call) => Promise<T>): Promise<T> {
  const opened = await open();
  if (!opened) {
    throw new BroadsheetError(
      'not_found',
      'Nothing is saved in this data folder yet. Start Broadsheet, or run `broadsheet sync`.',
    );
  }
  const call: Call = async (method, args) => {
    const reply = await opened.wire.call(method, args);
    if (reply.ok) return reply.value;
    throw fromFailure(reply.error);
  };
  try {
    return await work(call);
  } finally {
    await opened.close();
  }
}
