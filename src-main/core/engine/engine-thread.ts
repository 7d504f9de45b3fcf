import { Worker } from 'node:worker_threads';
import { BroadsheetError, fromFailure, type Failure } from '../../contract/errors.ts';
import type { EventName, Events, Emit } from '../../contract/events.ts';
import type { Log } from '../../contract/ports.ts';
import type { Engine, EngineSetup } from '../../sync/engine/types.ts';
import type { EngineMethod } from '../../contract/methods.ts';
import type { GatewayTrial } from '../../sync/engine/gateway-source.ts';

/** What is asked of the engine in its thread: a method of the contract, or one of its own life. */
export interface EngineRequest {
  id: number;
  method: EngineMethod | 'start' | 'close' | 'useGateway' | 'useSettings' | 'tryGateway';
  args: unknown;
}

/** What the thread says: that it stands (or why not), an answer, an event, a line for the log. */
export type EngineMessage =
  | { kind: 'opened' }
  | { kind: 'refused'; error: Failure }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'failure'; id: number; error: Failure }
  | { kind: 'event'; event: EventName; payload: Events[EventName] }
  | { kind: 'log'; line: Parameters<Log> };

interface ThreadPorts {
  log: Log;
  emit: Emit;
  /** The thread ended by itself after it stood; with what it threw, where it did. */
  onDeath?: (error: unknown) => void;
}

/**
 * The engine in a thread of its own, so that fetching, checking and writing never hold up the loop that answers the page.
 * Errors: those of opening the store.
 */
export async function startEngineThread(module: URL, setup: EngineSetup, ports: ThreadPorts): Promise<Engine> {
  const thread = new EngineThread(new Worker(module, { workerData: setup }), ports);
  await thread.opened;
  return {
    // The thread runs the same table of methods: the answer has the type that the method's name promises.
    call: (method, args) => thread.ask(method, args) as never,
    start: async () => {
      await thread.ask('start', null);
    },
    useGateway: async (gateway) => {
      await thread.ask('useGateway', gateway);
    },
    useSettings: async (settings) => {
      await thread.ask('useSettings', settings);
    },
    tryGateway: (gateway) => thread.ask('tryGateway', gateway) as Promise<GatewayTrial>,
    close: () => thread.close(),
  };
}

/** This side of the thread: who waits for which answer. */
class EngineThread {
  /** Resolves once the store is open. Rejects with why it is not, or with `closed` where the thread ended before. */
  readonly opened: Promise<unknown>;
  readonly #worker: Worker;
  readonly #ports: ThreadPorts;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #ended: BroadsheetError | null = null;
  #stands = false;
  #closing = false;

  constructor(worker: Worker, ports: ThreadPorts) {
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
      const trace = error instanceof Error ? (error.stack ?? '') : String(error);
      ports.log('error', 'The engine stopped.', { trace });
    });
    worker.on('exit', () => {
      opening.reject(this.#end());
      if (this.#stands && !this.#closing) ports.onDeath?.(thrown);
    });
  }

  ask(method: EngineRequest['method'], args: unknown): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    const answer = Promise.withResolvers();
    this.#lastId += 1;
    this.#waiting.set(this.#lastId, answer);
    this.#worker.postMessage({ id: this.#lastId, method, args } satisfies EngineRequest);
    return answer.promise;
  }

  async close(): Promise<void> {
    this.#closing = true;
    // A thread that ended by itself has nothing left to close.
    await this.ask('close', null).catch(() => undefined);
    await this.#worker.terminate();
  }

  #receive(message: Exclude<EngineMessage, { kind: 'opened' | 'refused' }>): void {
    if (message.kind === 'event') return this.#ports.emit(message.event, message.payload);
    if (message.kind === 'log') return this.#ports.log(...message.line);
    const call = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') call?.resolve(message.value);
    else call?.reject(fromFailure(message.error));
  }

  /** No call is left without an answer. */
  #end(): BroadsheetError {
    const ended = new BroadsheetError(
      'closed',
      'The part of Broadsheet that fetches and stores has stopped. Start it again.',
    );
    this.#ended = ended;
    for (const { reject } of this.#waiting.values()) reject(ended);
    this.#waiting.clear();
    return ended;
  }
}
