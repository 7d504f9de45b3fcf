export { default as SourceAbout } from './SourceAbout.svelte';
export { setSourcesContext, SourcesState } from './sources.svelte.ts';
