import { fireEvent, within } from '@testing-library/svelte';
import { settle } from './settle.ts';

// Each waits for all that follows.

export async function clickOn(element: Element, how: MouseEventInit = {}): Promise<void> {
  await fireEvent.click(element, how);
  await settle();
}

/** Returns true if the browser's own action was allowed. */
export async function keyDown(on: Element | Window, press: KeyboardEventInit): Promise<boolean> {
  const allowed = await fireEvent.keyDown(on, press);
  await settle();
  return allowed;
}

/** Presses keys, each where the focus is then. */
export async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await keyDown(document.activeElement ?? document.body, { key, cancelable: true });
}

export async function typeInto(field: Element, value: string): Promise<void> {
  await fireEvent.input(field, { target: { value } });
  await settle();
}

export function clickNamed(name: string | RegExp, part: HTMLElement): Promise<void> {
  return clickOn(within(part).getByRole('button', { name }));
}
