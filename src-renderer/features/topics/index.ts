export { HotTopicsState, setHotTopicsContext, topicKey } from './hot-topics.svelte.ts';
export { setStoriesContext, storyIn, StoriesState, toggleFollow, toggleStar } from './stories.svelte.ts';
