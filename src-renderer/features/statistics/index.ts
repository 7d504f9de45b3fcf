/** Exports for the app. The view is loaded from its file when it is first opened. */
export { StatisticsState } from './statistics.svelte.ts';
