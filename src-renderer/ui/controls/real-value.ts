import { tick } from 'svelte';

/**
 * Has a control show its value again after a change. A browser shows at once what was chosen. If the change is refused, the
 * value is the same as before, and Svelte updates nothing.
 * @param change what `onchange` returned: a promise where the change has to be saved first
 */
export async function showAfter(change: unknown, control: Element, show: () => void): Promise<void> {
  await change;
  await tick();
  // What has left the page has no value any more.
  if (control.isConnected) show();
}

/** The same for radio buttons: the one of the chosen value is checked. */
export async function showChosenAfter(change: unknown, group: Element, chosen: () => string): Promise<void> {
  await showAfter(change, group, () => {
    for (const radio of group.querySelectorAll('input')) radio.checked = radio.value === chosen();
  });
}
