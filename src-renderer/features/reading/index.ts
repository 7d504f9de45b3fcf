/** Exports for the app. */
export { default as ReadingPane } from './ReadingPane.svelte';
export { ReadingState, ReadTimer } from './reading.svelte.ts';
