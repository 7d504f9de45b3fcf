import type { EventEmitter } from 'node:events';

/** A preventable event, as Electron passes it to listeners. */
export class FakeEvent {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

/** Emits a preventable event, and returns whether it was prevented. */
export function emitted(emitter: EventEmitter, name: string, details: object = {}, ...more: unknown[]): boolean {
  const event = Object.assign(new FakeEvent(), details);
  emitter.emit(name, event, ...more);
  return event.defaultPrevented;
}
