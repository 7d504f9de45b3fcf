import type { Message } from '../../../src-main/common/i18n/labels/message.ts';
/** Choices with their names, in the order of the names. */
export function optionsOf<T extends string>(labels: Readonly<Record<T, Message>>): { value: T; label: string }[] {
  return (Object.keys(labels) as T[]).map((value) => ({ value, label: labels[value]() }));
}
