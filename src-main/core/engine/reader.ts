import { BroadsheetError, logFields } from '../../contract/errors.ts';
import type { Clock, Log } from '../../contract/ports.ts';
import { openQueries } from '../../store/index.ts';
import { isPreparation, readHere, type ReadContext, type ReadMethod, type RunRead } from '../reads.ts';
import { connect, traceOf, type Opened, type Thread } from '../threads.ts';

const STOP_LIMIT_MS = 250;
const CONNECT_AGAIN_AFTER_MS = 60_000;

export interface ReaderSetup {
  role: 'reader';
  folder: string;
}

export interface ReaderService {
  read(request: { method: ReadMethod; args: unknown; context: ReadContext }): Promise<unknown>;
}

export function openReader({ folder }: ReaderSetup): Opened<ReaderService> {
  const queries = openQueries(folder);
  const read = readHere(queries);
  return {
    service: { read: ({ method, args, context }) => read(method, args as never, context) },
    close: (settled) => settled.then(() => queries.close()),
  };
}

export interface Reader {
  read: RunRead;
  stop(): Promise<void>;
}

interface ReaderPorts {
  here: RunRead;
  log: Log;
  clock: Clock;
}

/** Runs long reads in a thread. Until it is ready, and for a minute after it died, they run on `here`. */
export function createReader(module: URL, folder: string, { here, log, clock }: ReaderPorts): Reader {
  const died = new Error('The thread for long reads stopped.');
  let thread: Thread<ReaderService> | null = null;
  let phase: 'none' | 'starting' | 'ready' | 'ended' = 'none';
  let isStopping = false;
  let cancelRetry = (): void => undefined;

  function start(): void {
    phase = 'starting';
    thread = connect<ReaderService>(module, {
      setup: { role: 'reader', folder } satisfies ReaderSetup,
      stopLimit: STOP_LIMIT_MS,
      log,
      on: {},
      onEnd: (thrown) => {
        if (isStopping) return new BroadsheetError('closed', 'Broadsheet is closing.', { retryable: true });
        fail(thrown === null ? {} : { trace: traceOf(thrown) });
        return died;
      },
      idles: true,
    });
    thread.opened.then(
      () => (phase = 'ready'),
      (error: unknown) => {
        if (!isStopping && error !== died) fail(logFields(error));
      },
    );
  }

  function fail(fields: { trace?: string; code?: string; reason?: string }): void {
    if (phase === 'ended') return;
    phase = 'ended';
    log('warn', 'The thread for long reads stopped', fields);
    cancelRetry = clock.after(CONNECT_AGAIN_AFTER_MS, () => (phase = 'none'));
  }

  const hasDied = (): boolean => phase === 'ended' && !isStopping;

  return {
    read: async (method, args, context) => {
      if (phase === 'none' && !isStopping) start();
      const takes = phase === 'ready' || (phase === 'starting' && isPreparation(method, args));
      if (!thread || !takes || isStopping) return here(method, args, context);
      try {
        return (await thread.call('read', { method, args, context })) as never;
      } catch (error) {
        if (!hasDied()) throw error;
        return here(method, args, context);
      }
    },
    stop: async () => {
      isStopping = true;
      cancelRetry();
      await thread?.stop();
    },
  };
}
