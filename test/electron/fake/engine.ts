import { Worker } from 'node:worker_threads';
import type { EventName, Events } from '../../../src-main/contract/events.ts';
import type { FromThread } from '../../../src-main/core/threads.ts';

// The host's engine is the thread that it sends messages to; the host has no other threads.
let engine: Worker | null = null;
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (...args: Parameters<typeof postMessage>) {
  hear(this);
  postMessage.apply(this, args);
};

function hear(worker: Worker): void {
  engine = worker;
}

/** Sends the core a message as its engine. Errors: before the host's first message to the engine. */
export function speakAsEngine<E extends EventName>(event: E, payload: Events[E]): void {
  if (!engine) throw new Error('The host has not used the engine yet.');
  engine.emit('message', { kind: 'event', event: 'event', payload: { event, payload } } satisfies FromThread);
}
