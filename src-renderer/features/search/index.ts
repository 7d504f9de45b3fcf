/** What the feed uses of the search. */
export { default as OnlineForm } from './OnlineForm.svelte';
export { withText } from './online-search.ts';
