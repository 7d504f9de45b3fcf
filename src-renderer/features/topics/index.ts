export { default as FollowButton } from './FollowButton.svelte';
export { HotTopicsState, setHotTopicsContext } from './hot-topics.svelte.ts';
export { setStoriesContext, storyIn, StoriesState, toggleStar, topicKey } from './stories.svelte.ts';
