/** What the app and other features use of the sources. The view is loaded by its file when it is first opened. */
export { default as SourceAbout } from './SourceAbout.svelte';
export { SourcesState } from './sources.svelte.ts';
