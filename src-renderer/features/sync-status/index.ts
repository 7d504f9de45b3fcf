export { endOfPause, hasFailed, PAUSES, SyncState } from './sync.svelte.ts';
export { default as SyncIndicator } from './SyncIndicator.svelte';
export { default as ConfirmingText } from './ConfirmingText.svelte';
export { default as DownloadProgress } from './DownloadProgress.svelte';
