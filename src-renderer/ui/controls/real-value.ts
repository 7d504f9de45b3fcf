import { tick } from 'svelte';

/**
 * Resets a control to its real value after a change. Browsers show the chosen value at once; if the change is refused,
 * the value is the same as before, and Svelte updates nothing.
 *
 * @param change what `onchange` returned: a promise where the change has to be saved first
 */
export async function showAfter(change: unknown, control: Element, show: () => void): Promise<void> {
  await change;
  await tick();
  // Removed elements have no value any more.
  if (control.isConnected) show();
}

/** As `showAfter`, for radio buttons: checks the one of the chosen value. */
export async function showChosenAfter(change: unknown, group: Element, chosen: () => string): Promise<void> {
  await showAfter(change, group, () => {
    for (const radio of group.querySelectorAll('input')) radio.checked = radio.value === chosen();
  });
}
