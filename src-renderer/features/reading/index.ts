/** Exports for the app and other features. */
export { default as ReadingPane } from './ReadingPane.svelte';
export { readingContext, ReadingState, ReadTimer, setReadingContext, type ListAround } from './reading.svelte.ts';
