import type { Message } from '../../../src-main/common/i18n/labels.ts';
/** Returns the choices in the order of `labels`. */
export function optionsOf<T extends string>(labels: Readonly<Record<T, Message>>): { value: T; label: string }[] {
  return (Object.keys(labels) as T[]).map((value) => ({ value, label: labels[value]() }));
}
