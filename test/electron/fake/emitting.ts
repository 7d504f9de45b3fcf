import { EventEmitter } from 'node:events';

/** Some members of Electron's class, which the compiler compares with it; other ones have types of their own. */
export type Like<T, Other extends keyof T = never> = Partial<Omit<T, keyof EventEmitter | Other>>;

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

/**
 * Makes every method of a destroyed object throw, as Electron's do, and the given members too.
 *
 * @param kept methods that still answer
 */
export function destroy(thing: EventEmitter, kept: readonly string[], members: readonly string[] = []): void {
  const prototype = Object.getPrototypeOf(thing) as object;
  const names = [
    ...Object.getOwnPropertyNames(prototype),
    ...Object.keys(thing).filter((name) => isMethod(thing, name)),
  ];
  const gone = (): never => {
    throw new TypeError('Object has been destroyed');
  };
  for (const name of names) {
    if (!(name in EventEmitter.prototype) && !kept.includes(name)) Object.defineProperty(thing, name, { value: gone });
  }
  for (const name of members) Object.defineProperty(thing, name, { get: gone });
}

function isMethod(thing: object, name: string): boolean {
  return typeof (thing as Record<string, unknown>)[name] === 'function' && !name.startsWith('_');
}
