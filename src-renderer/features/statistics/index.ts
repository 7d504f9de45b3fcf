/** What the app uses of the statistics. The view is loaded by its file when it is first opened. */
export { StatisticsState } from './statistics.svelte.ts';
