import type { InLocale } from '../locale.ts';

/** A message without arguments. */
export type Message = (inputs?: object, options?: Partial<InLocale>) => string;

/** The message for a value that a newer service or core may have added to; null where there is none. */
export function messageFor(messages: Readonly<Record<string, Message>>, value: string, by?: InLocale): string | null {
  return Object.hasOwn(messages, value) ? (messages[value]?.({}, by) ?? null) : null;
}
