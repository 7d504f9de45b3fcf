export { StoriesState, toggleFollow, toggleStar } from './stories.svelte.ts';
export { StoryBackStack } from './story-back-stack.svelte.ts';
