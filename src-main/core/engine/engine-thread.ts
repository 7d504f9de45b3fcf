import { isOutOfHandles, tooManyOpenFiles } from '../../common/system-errors.ts';
import { BroadsheetError, fromFailure, type Failure } from '../../contract/errors.ts';
import type { ArrivedSettings } from '../../contract/settings.ts';
import type { EventName, Events, Emit } from '../../contract/events.ts';
import type { Log } from '../../contract/ports.ts';
import {
  controlsBy,
  type Engine,
  type EngineControl,
  type EngineMethod,
  type EngineSetup,
} from '../../sync/engine/types.ts';
import { StoreThread } from './store-thread.ts';

/**
 * How long a thread may take to close before it is terminated, in ms. A process that is told to stop ends within two
 * seconds. Terminating is safe: SQLite rolls back the open transaction.
 */
const CLOSE_LIMIT = 1_400;

/** A call to the engine's thread: a method of the contract, or one that controls the engine. */
export interface EngineRequest {
  id: number;
  method: EngineMethod | EngineControl | 'close';
  args: unknown;
}

/** A message from the thread: opened (or why not), a reply, an event, or a log line. */
export type EngineMessage =
  | { kind: 'opened' }
  | { kind: 'refused'; error: Failure }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; error: Failure }
  | { kind: 'event'; event: EventName; payload: Events[EventName] }
  | { kind: 'log'; line: Parameters<Log> }
  | { kind: 'settings'; arrived: ArrivedSettings }
  | { kind: 'damaged' };

interface ThreadPorts {
  log: Log;
  emit: Emit;
  /** The thread stopped by itself after opening; with the error it threw, if any. */
  onDeath?: (error: unknown) => void;
  /** Damage was found, and is repaired when the files are opened again. */
  onDamage?: () => void;
  /** Other machines changed settings that are shared. */
  onSettings?: (arrived: ArrivedSettings) => void;
}

/**
 * Runs the engine in its own thread, so that fetching, parsing and writing never block the event loop that serves the
 * page. `stop` terminates a thread that is still opening its files. Errors: those of opening the store; `closed`.
 */
export async function startEngineThread(
  module: URL,
  setup: EngineSetup,
  ports: ThreadPorts,
  stop?: AbortSignal,
): Promise<Engine> {
  const worker = new StoreThread(module, setup);
  const thread = new EngineThread(worker, ports);
  const terminate = (): void => void worker.terminate();
  stop?.addEventListener('abort', terminate);
  if (stop?.aborted) terminate();
  await thread.opened.finally(() => stop?.removeEventListener('abort', terminate));
  return {
    // The thread implements the same methods, so the reply has the type that belongs to the method.
    call: (method, args) => thread.call(method, args) as never,
    ...controlsBy((name, argument) => thread.call(name, argument) as Promise<never>),
    close: () => thread.close(),
  };
}

/** This side of the thread: matches replies to pending calls. */
class EngineThread {
  /**
   * Resolves when the store is open. Rejects with the reason if it isn't, or with `closed` if the thread stopped
   * before.
   */
  readonly opened: Promise<unknown>;
  readonly #worker: StoreThread;
  readonly #ports: ThreadPorts;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #ended: BroadsheetError | null = null;
  #stands = false;
  #closing = false;

  constructor(worker: StoreThread, ports: ThreadPorts) {
    this.#worker = worker;
    this.#ports = ports;
    const opening = Promise.withResolvers();
    this.opened = opening.promise;
    worker.on('message', (message: EngineMessage) => {
      if (message.kind === 'opened') {
        this.#stands = true;
        opening.resolve(null);
      } else if (message.kind === 'refused') opening.reject(fromFailure(message.error));
      else this.#receive(message);
    });
    let thrown: unknown = null;
    worker.on('error', (error) => {
      thrown = error;
      // Said by the error that follows.
      if (isOutOfHandles(error)) return;
      const trace = error instanceof Error ? (error.stack ?? '') : String(error);
      ports.log('error', 'The engine stopped.', { trace });
    });
    worker.on('exit', () => {
      const ended = this.#end();
      opening.reject(isOutOfHandles(thrown) ? tooManyOpenFiles(thrown) : ended);
      if (this.#stands && !this.#closing) ports.onDeath?.(thrown);
    });
  }

  call(method: EngineRequest['method'], args: unknown): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    const answer = Promise.withResolvers();
    this.#lastId += 1;
    this.#waiting.set(this.#lastId, answer);
    this.#worker.postMessage({ id: this.#lastId, method, args } satisfies EngineRequest);
    return answer.promise;
  }

  /** Resolves when the thread has ended, which takes longer than the limit only if native code is running. */
  async close(): Promise<void> {
    this.#closing = true;
    const limit = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => limit.resolve(false), CLOSE_LIMIT);
    // A thread that stopped by itself has nothing to close.
    const closed = this.call('close', null).then(
      () => true,
      () => true,
    );
    const inTime = await Promise.race([closed, limit.promise]);
    clearTimeout(timer);
    if (!inTime) this.#ports.log('warn', 'The engine was busy and has been terminated');
    await this.#worker.terminate();
  }

  #receive(message: Exclude<EngineMessage, { kind: 'opened' | 'refused' }>): void {
    if (message.kind === 'event') return this.#ports.emit(message.event, message.payload);
    if (message.kind === 'settings') return this.#ports.onSettings?.(message.arrived);
    if (message.kind === 'damaged') return this.#ports.onDamage?.();
    if (message.kind === 'log') return this.#ports.log(...message.line);
    const call = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') call?.resolve(message.value);
    else call?.reject(fromFailure(message.error));
  }

  /** Rejects all pending calls. */
  #end(): BroadsheetError {
    const message = 'The background engine stopped. Broadsheet starts it again; try again in a moment.';
    const ended = new BroadsheetError('closed', message, { retryable: true });
    this.#ended = ended;
    for (const { reject } of this.#waiting.values()) reject(ended);
    this.#waiting.clear();
    return ended;
  }
}
