export { default as FollowButton } from './FollowButton.svelte';
export { HotTopicsState, setHotTopicsContext, topicKey } from './hot-topics.svelte.ts';
export { setStoriesContext, storyIn, StoriesState, toggleStar } from './stories.svelte.ts';
