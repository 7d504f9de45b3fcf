/** Exports for the app and other features. The view is loaded from its file when it is first opened. */
export { default as SourceAbout } from './SourceAbout.svelte';
export { SourcesState } from './sources.svelte.ts';
