/** The open dialogs. They register themselves, so that nothing needs to search the page for them. */
const open = new Set<HTMLDialogElement>();

/** Opens a dialog over the page. Returns a function to call when it is removed. */
export function showDialog(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  open.add(dialog);
  return () => void open.delete(dialog);
}

/** Returns `closing` after a dialog was closed and before it is removed, when the keyboard is the page's again. */
export function dialogsNow(): 'none' | 'open' | 'closing' {
  if (open.size === 0) return 'none';
  return [...open].some((dialog) => dialog.open) ? 'open' : 'closing';
}

/** Closes all dialogs, the newest first, as if the reader had. */
export function closeDialogs(): void {
  for (const dialog of [...open].reverse()) if (dialog.open) dialog.close();
}

/** Closes all dialogs so the navigation target can take focus. */
export function leaveDialogs(): void {
  closeDialogs();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
