/** What the app and other features use of the hot topics. The view is loaded by its file when it is first opened. */
export { HotTopicsState, topicKey } from './hot-topics.svelte.ts';
export { default as RankMove } from './RankMove.svelte';
