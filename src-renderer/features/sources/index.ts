/** Exports for the app and other features. */
export { default as SourceAbout } from './SourceAbout.svelte';
export { setSourcesContext, SourcesState } from './sources.svelte.ts';
