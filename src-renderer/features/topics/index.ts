/** What the app uses of the hot topics. The view is loaded by its file when it is first opened. */
export { HotTopicsState } from './hot-topics.svelte.ts';
