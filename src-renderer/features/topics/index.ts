export { HotTopicsState, setHotTopicsContext, topicKey } from './hot-topics.svelte.ts';
export { default as RankMove } from './RankMove.svelte';
