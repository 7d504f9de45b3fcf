export { HotTopicsState, setHotTopicsContext, topicKey } from './hot-topics.svelte.ts';
