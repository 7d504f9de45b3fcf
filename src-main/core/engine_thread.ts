import { Worker } from 'node:worker_threads';
import { BroadsheetError, fromFailure, type Failure } from '../contract/errors.ts';
import type { EventName, Events } from '../contract/events.ts';
import type { Log, LogLevel } from '../contract/ports.ts';
import type { Emit, Engine, EngineMethod, EngineSetup } from '../sync/engine.ts';

/** What is asked of the engine in its thread: a method of the contract, or one of its own life. */
export interface EngineRequest {
  id: number;
  method: EngineMethod | 'start' | 'close';
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

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * The engine in a thread of its own, so that fetching, checking and writing never hold up the loop that answers the page.
 * Errors: those of opening the store.
 */
export async function startEngineThread(
  module: URL,
  setup: EngineSetup,
  ports: { log: Log; emit: Emit },
): Promise<Engine> {
  const worker = new Worker(module, { workerData: setup });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let ended: BroadsheetError | null = null;

  const ask = (method: EngineRequest['method'], args: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      worker.postMessage({ id: lastId, method, args } satisfies EngineRequest);
    });

  await new Promise<void>((resolve, reject) => {
    worker.on('message', (message: EngineMessage) => {
      if (message.kind === 'opened') resolve();
      else if (message.kind === 'refused') reject(fromFailure(message.error));
      else receive(message, waiting, ports);
    });
    worker.on('error', (error) => {
      ports.log('error', 'The engine stopped.', {
        trace: error instanceof Error ? (error.stack ?? '') : String(error),
      });
    });
    worker.on('exit', () => {
      ended = new BroadsheetError(
        'closed',
        'The part of Broadsheet that fetches and stores has stopped. Start it again.',
      );
      reject(ended);
      for (const { reject: fail } of waiting.values()) fail(ended);
      waiting.clear();
    });
  });

  return {
    // The thread runs the same table of methods: the answer has the type that the method's name promises.
    call: (method, args) => ask(method, args) as never,
    start: async () => {
      await ask('start', null);
    },
    close: async () => {
      await ask('close', null).catch(() => undefined);
      await worker.terminate();
    },
  };
}

function receive(message: EngineMessage, waiting: Map<number, Waiting>, { log, emit }: { log: Log; emit: Emit }): void {
  if (message.kind === 'event') {
    emit(message.event, message.payload as never);
  } else if (message.kind === 'log') {
    const [level, text, fields] = message.line as [LogLevel, string, Parameters<Log>[2]];
    log(level, text, fields);
  } else if (message.kind === 'answer' || message.kind === 'failure') {
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === 'answer') call?.resolve(message.value);
    else call?.reject(fromFailure(message.error));
  }
}
