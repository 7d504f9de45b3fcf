import { Worker } from 'node:worker_threads';
import type { EventName, Events } from '../../../src-main/contract/events.ts';
import type { EngineMessage } from '../../../src-main/core/engine/engine-thread.ts';

// The host's engine is whichever thread it asks something; nothing else of the host has a thread.
let engine: Worker | null = null;
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (...args: Parameters<typeof postMessage>) {
  hear(this);
  postMessage.apply(this, args);
};

function hear(worker: Worker): void {
  engine = worker;
}

/** Tells the core something in the place of its engine. Errors: before the host asked the engine anything. */
export function speakAsEngine<E extends EventName>(event: E, payload: Events[E]): void {
  if (!engine) throw new Error('The engine was not asked yet');
  engine.emit('message', { kind: 'event', event, payload } satisfies EngineMessage);
}
