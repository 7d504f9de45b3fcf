/** A service for tests of threads: the module of one if it is imported there. */
import { parentPort, workerData } from 'node:worker_threads';
import { BroadsheetError } from '../../src-main/contract/errors.ts';
import { serve, type Inside, type Opened } from '../../src-main/core/threads.ts';

export interface MadeUpService {
  double(args: { count: number }): number;
  fail(args: { code: 'not_found' | 'defect' | 'uncopied' }): unknown;
  /** Sends the numbers below `count` as events. */
  tell(args: { count: number }): Promise<string>;
  /** Ends only if its signal is aborted. */
  wait(args: null, signal: AbortSignal): Promise<string>;
  busy(args: null): never;
  end(args: { thrown: string | null }): Promise<never>;
}

export interface MadeUpEvents {
  told: { number: number };
  /** The service was closed, and its calls had ended. */
  closed: { running: number };
}

interface MadeUpSetup {
  refuses?: boolean;
}

export function openMadeUp({ refuses = false }: MadeUpSetup, { emit }: Inside<MadeUpEvents>): Opened<MadeUpService> {
  if (refuses) throw new BroadsheetError('data_in_use', 'Set by a test.');
  let running = 0;
  return {
    service: {
      double: ({ count }) => 2 * count,
      fail: ({ code }) => {
        if (code === 'uncopied') return () => undefined;
        throw code === 'defect'
          ? new TypeError('A defect, with Bearer abcdef-123456.')
          : new BroadsheetError(code, 'As asked for.', { retryable: true, reason: 'proxy' });
      },
      tell: async ({ count }) => {
        for (let number = 0; number < count; number += 1) emit('told', { number });
        return 'all told';
      },
      wait: async (_, signal) => {
        running += 1;
        await new Promise((resolve) => {
          if (signal.aborted) resolve(null);
          signal.addEventListener('abort', resolve);
        });
        running -= 1;
        return 'cancelled';
      },
      busy: () => {
        for (;;);
      },
      end: ({ thrown }) => {
        if (thrown === null) process.exit(0);
        setImmediate(() => {
          throw new Error(thrown);
        });
        return new Promise<never>(() => undefined);
      },
    },
    close: async (settled) => {
      await settled;
      emit('closed', { running });
    },
  };
}

if (parentPort && (workerData as { isMadeUp?: boolean } | null)?.isMadeUp) {
  await serve<MadeUpService, MadeUpEvents>(
    () => undefined,
    (inside) => openMadeUp(workerData as MadeUpSetup, inside),
  );
}
