/** The dialogs that are open. They register themselves, so that nobody needs to search the page for them. */
const open = new Set<HTMLDialogElement>();

/** Opens a dialog over the page. Returns what to do when it is removed. */
export function showDialog(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  open.add(dialog);
  return () => void open.delete(dialog);
}

/**
 * Whether a dialog is on the page: `open`; `closing` after it was closed and before it is removed, when the keyboard is
 * the page's again; or `none`.
 */
export function dialogsNow(): 'none' | 'open' | 'closing' {
  if (open.size === 0) return 'none';
  return [...open].some((dialog) => dialog.open) ? 'open' : 'closing';
}

/** Closes all dialogs, the newest first, as if the reader had. */
export function closeDialogs(): void {
  for (const dialog of [...open].reverse()) if (dialog.open) dialog.close();
}

/** Closes the dialogs, which would cover what is gone to, and lets it take the focus. */
export function leaveDialogs(): void {
  closeDialogs();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
