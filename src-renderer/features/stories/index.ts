/** What the app and other features use of the stories. Views are loaded by their files when they are first opened. */
export { StoriesState, STORY_LISTS, type StoryList } from './stories.svelte.ts';
export { StoryBackStack } from './story-back-stack.svelte.ts';
