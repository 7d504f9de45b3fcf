export { setStoriesContext, storyIn, StoriesState, toggleFollow, toggleStar } from './stories.svelte.ts';
export { default as StoryReading } from './StoryReading.svelte';
