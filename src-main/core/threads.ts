import { parentPort, Worker, workerData, type ResourceLimits } from 'node:worker_threads';
import { isOutOfHandles, tooManyOpenFiles } from '../common/system-errors.ts';
import { fromFailure, observeDefects, toFailure, type Failure } from '../contract/errors.ts';
import type { Log } from '../contract/ports.ts';

// One protocol for all threads: a list of functions, whose type both sides share. Whoever connects decides what happens
// when a thread ends.

type Body = (args: never, signal: AbortSignal) => unknown;
/** The signal is aborted if the caller cancels, and when the thread is stopped. */
export type Service<S> = { [N in keyof S]: Body };

export interface Opened<S> {
  service: S;
  close(settled: Promise<unknown>): unknown;
}

/** Events of a call arrive before its reply. */
export interface Inside<E> {
  log: Log;
  emit<N extends keyof E & string>(event: N, payload: E[N]): void;
}

type NoEvents = Record<string, never>;
type Open<S, E> = (inside: Inside<E>) => Opened<S> | Promise<Opened<S>>;

type Given<F> = F extends (...args: infer P) => unknown ? (P extends [] ? [] : [args: P[0], signal?: AbortSignal]) : [];

export type CallOf<S> = <N extends keyof S & string>(
  name: N,
  ...given: Given<S[N]>
) => Promise<S[N] extends (...args: never[]) => infer R ? Awaited<R> : never>;

export interface Thread<S> {
  opened: Promise<unknown>;
  call: CallOf<S>;
  /** Resolves when the thread has ended: at once if still opening, else within its limit. */
  stop(): Promise<void>;
}

export type Handlers<E> = { [N in keyof E]: (payload: E[N]) => void };

interface ConnectOptions<E> {
  setup: object;
  /** In ms; then the thread is terminated, which is safe: SQLite rolls back the open transaction. */
  stopLimit: number;
  log: Log;
  on: Handlers<E>;
  /** Returns the error for pending calls. `byItself` is false while opening, and after `stop`. */
  onEnd(thrown: unknown, byItself: boolean): Error;
  onBusy?: () => void;
  idles?: boolean;
}

export type ToThread = { id: number; name: string; args: unknown } | { cancel: number } | 'stop';
export type FromThread =
  | { kind: 'opened' }
  | { kind: 'stopped' }
  | { kind: 'refused'; error: Failure }
  | { kind: 'value'; id: number; value: unknown }
  | { kind: 'failure'; id: number; error: Failure }
  | { kind: 'event'; event: string; payload: unknown }
  | { kind: 'log'; line: Parameters<Log> };

/** V8's defaults hold over 100 MB of garbage, and are no faster. A thread that needs more ends, and is restarted. */
const LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 };
/** In ms to load native modules before a thread is terminated all the same. */
const LOAD_LIMIT = 1_000;

type Loaded = Int32Array<SharedArrayBuffer>;

function sayLoaded(loaded: Loaded): void {
  Atomics.store(loaded, 0, 1);
  Atomics.notify(loaded, 0);
}

/** `module` must call {@link serve}. */
export function connect<S extends Service<S>, E = NoEvents>(
  module: URL,
  { setup, stopLimit, log, on, onEnd, onBusy, idles = false }: ConnectOptions<E>,
): Thread<S> {
  const loaded: Loaded = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(module, { workerData: { ...setup, loaded }, resourceLimits: LIMITS });
  const calls = new Map<number, PromiseWithResolvers<unknown>>();
  const opening = Promise.withResolvers();
  opening.promise.catch(() => undefined);
  const closed = Promise.withResolvers<boolean>();
  let state: 'opening' | 'open' | 'stopping' = 'opening';
  let ended: Error | null = null;
  let thrown: unknown = null;
  let stopped: Promise<void> | null = null;
  let lastId = 0;

  function hold(): void {
    if (!idles || calls.size > 0 || stopped) worker.ref();
    else worker.unref();
  }

  function end(reason: Error): void {
    ended ??= reason;
    opening.reject(reason);
    for (const { reject } of calls.values()) reject(reason);
    calls.clear();
  }

  function receive(message: FromThread): void {
    if (message.kind === 'event') return on[message.event as keyof E](message.payload as never);
    if (message.kind === 'log') return log(...message.line);
    if (message.kind === 'refused') return end(fromFailure(message.error));
    if (message.kind === 'stopped') return closed.resolve(true);
    if (message.kind === 'opened') {
      if (state === 'opening') state = 'open';
      // Calling it earlier has no lasting effect.
      hold();
      return opening.resolve(null);
    }
    const call = calls.get(message.id);
    calls.delete(message.id);
    hold();
    if (message.kind === 'value') call?.resolve(message.value);
    else call?.reject(fromFailure(message.error));
  }

  /** Waits, because terminating a thread while better-sqlite3 initializes aborts the whole process. */
  async function terminate(): Promise<void> {
    await Atomics.waitAsync(loaded, 0, 0, LOAD_LIMIT).value;
    await worker.terminate();
  }

  async function stop(): Promise<void> {
    // A process that ended meanwhile would terminate the thread.
    worker.ref();
    const isOpen = state === 'open';
    state = 'stopping';
    if (isOpen && stopLimit > 0) {
      worker.postMessage('stop' satisfies ToThread);
      const timer = setTimeout(() => closed.resolve(false), stopLimit);
      if (!(await closed.promise)) onBusy?.();
      clearTimeout(timer);
    }
    await terminate();
  }

  worker.on('message', receive);
  worker.on('error', (error) => {
    thrown = error;
  });
  worker.on('exit', () => {
    sayLoaded(loaded);
    closed.resolve(true);
    const reason = onEnd(thrown, state === 'open');
    end(state === 'opening' && isOutOfHandles(thrown) ? tooManyOpenFiles(thrown) : reason);
  });
  hold();
  return {
    opened: opening.promise,
    call: (name, ...[args, signal]: [args?: unknown, signal?: AbortSignal]) => {
      if (ended) return Promise.reject(ended);
      const answer = Promise.withResolvers<unknown>();
      const id = (lastId += 1);
      const cancel = (): void => worker.postMessage({ cancel: id } satisfies ToThread);
      calls.set(id, answer);
      hold();
      worker.postMessage({ id, name, args } satisfies ToThread);
      if (signal?.aborted) cancel();
      signal?.addEventListener('abort', cancel);
      return answer.promise.finally(() => signal?.removeEventListener('abort', cancel)) as Promise<never>;
    },
    stop: () => (stopped ??= stop()),
  };
}

/** Runs calls until it is stopped. `load` loads native modules; failures are reported by whatever uses them. */
export async function serve<S extends Service<S>, E = NoEvents>(load: () => void, open: Open<S, E>): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('Only a thread serves.');
  try {
    load();
  } catch {
    // Reported by what opens the service.
  } finally {
    sayLoaded((workerData as { loaded: Loaded }).loaded);
  }
  const say = (message: FromThread): void => {
    port.postMessage(message);
  };
  const log: Log = (...line) => {
    say({ kind: 'log', line });
  };
  logDefects(log);
  try {
    const opened = await open({
      log,
      emit: (event, payload) => {
        say({ kind: 'event', event, payload });
      },
    });
    const calls = new RunningCalls(opened);
    port.on('message', (message: ToThread) => {
      if (message === 'stop') {
        void calls.close().then(() => {
          say({ kind: 'stopped' });
        });
      } else if ('cancel' in message) {
        calls.cancel(message.cancel);
      } else {
        const { id, name, args } = message;
        calls
          .run(id, name, args)
          .then((value) => {
            say({ kind: 'value', id, value });
          })
          .catch((error: unknown) => {
            say({ kind: 'failure', id, error: toFailure(error) });
          });
      }
    });
    say({ kind: 'opened' });
  } catch (error) {
    say({ kind: 'refused', error: toFailure(error) });
  }
}

/** Runs a service in this thread, copying data and converting errors as between threads. Errors: those of `open`. */
export async function connectHere<S extends Service<S>, E, O extends Opened<S>>(
  open: (inside: Inside<E>) => O | Promise<O>,
  { log, on }: { log: Log; on: Handlers<E> },
): Promise<{ thread: Thread<S>; opened: O }> {
  const opened = await open({
    log,
    emit: (event, payload) => {
      on[event](structuredClone(payload));
    },
  });
  const calls = new RunningCalls(opened);
  let lastId = 0;
  const thread: Thread<S> = {
    opened: Promise.resolve(),
    call: async (name, ...[args, signal]: [args?: unknown, signal?: AbortSignal]) => {
      const id = (lastId += 1);
      const cancel = (): void => calls.cancel(id);
      try {
        const running = calls.run(id, name, structuredClone(args));
        if (signal?.aborted) cancel();
        signal?.addEventListener('abort', cancel);
        return structuredClone(await running) as never;
      } catch (error) {
        const failure = toFailure(error);
        if (failure.code === 'internal') log('error', 'Unexpected error', { call: name, trace: traceOf(error) });
        throw fromFailure(failure);
      } finally {
        signal?.removeEventListener('abort', cancel);
      }
    },
    stop: () => calls.close(),
  };
  return { thread, opened };
}

class RunningCalls<S> {
  readonly #opened: Opened<S>;
  readonly #calls = new Map<number, { cancelling: AbortController; settled: Promise<unknown> }>();
  #closed: Promise<void> | null = null;

  constructor(opened: Opened<S>) {
    this.#opened = opened;
  }

  run(id: number, name: string, args: unknown): Promise<unknown> {
    const body = this.#opened.service[name as keyof S] as Body;
    const cancelling = new AbortController();
    if (this.#closed) cancelling.abort();
    const answer = Promise.resolve(args).then((given) => body(given as never, cancelling.signal));
    const settled = answer.catch(() => undefined).then(() => this.#calls.delete(id));
    this.#calls.set(id, { cancelling, settled });
    return answer;
  }

  cancel(id: number): void {
    this.#calls.get(id)?.cancelling.abort();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const calls = [...this.#calls.values()];
    for (const { cancelling } of calls) cancelling.abort();
    try {
      await this.#opened.close(Promise.all(calls.map(({ settled }) => settled)));
    } catch (error) {
      toFailure(error);
    }
  }
}

const MAX_CAUSES = 100;
const FRAMES = 4;

/** Logs unexpected errors once per cause: failures cross threads without a stack, which may contain anything. */
export function logDefects(log: Log): void {
  const known = new Set<string>();
  observeDefects((thrown) => {
    const trace = traceOf(thrown);
    const cause = causeOf(thrown, trace);
    if (known.has(cause) || known.size >= MAX_CAUSES) return;
    known.add(cause);
    log('error', 'Unexpected error', { trace });
  });
}

function causeOf(thrown: unknown, trace: string): string {
  const frames = trace.split('\n').filter((line) => /^\s+at /.test(line));
  const place = frames.length === 0 ? trace.slice(0, 200) : frames.slice(0, FRAMES).join('\n');
  return `${thrown instanceof Error ? thrown.name : typeof thrown}\n${place}`;
}

export function traceOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}
