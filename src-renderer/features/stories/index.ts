/** Exports for the app and other features. Views are loaded from their files when they are first opened. */
export { StoriesState } from './stories.svelte.ts';
export { StoryBackStack } from './story-back-stack.svelte.ts';
