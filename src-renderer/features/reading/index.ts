/** What the app uses of the reading pane. */
export { default as ReadingPane } from './ReadingPane.svelte';
export { ReadingState } from './reading.svelte.ts';
export { ReadTimer } from './read-timer.ts';
