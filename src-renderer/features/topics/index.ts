/** Exports for the app and other features. The view is loaded from its file when it is first opened. */
export { HotTopicsState, topicKey } from './hot-topics.svelte.ts';
export { default as RankMove } from './RankMove.svelte';
