/** Exports for the app and the feed. */
export { default as OnlineForm } from './OnlineForm.svelte';
export { default as QueryChips } from './QueryChips.svelte';
export { default as SearchTrigger } from './SearchTrigger.svelte';
export { withText } from './online-search.ts';
export { withSearch } from './recent-searches.ts';
export { SearchState } from './search.svelte.ts';
