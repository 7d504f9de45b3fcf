/** Exports for the app and other features. */
export { HotTopicsState, topicKey } from './hot-topics.svelte.ts';
export { default as RankMove } from './RankMove.svelte';
