/** Exports for the app and other features. */
export { SyncState } from './sync.svelte.ts';
export { default as SyncIndicator } from './SyncIndicator.svelte';
export { default as ConfirmingText } from './ConfirmingText.svelte';
export { endOfPause, PAUSES } from './pause-span.ts';
export { default as DownloadProgress } from './DownloadProgress.svelte';
