/** Exports for the app. */
export { default as ReadingPane } from './ReadingPane.svelte';
export { ReadingState } from './reading.svelte.ts';
export { ReadTimer } from './read-timer.ts';
