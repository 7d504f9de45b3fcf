export { default as FollowButton } from './FollowButton.svelte';
export { HotTopicsState, setHotTopicsContext, storyIn, topicKey } from './hot-topics.svelte.ts';
export { setStoriesContext, StoriesState, toggleStar } from './stories.svelte.ts';
