export { default as ReadingPane } from './ReadingPane.svelte';
export { readingContext, ReadingState, ReadTimer, setReadingContext, type ListAround } from './reading.svelte.ts';
