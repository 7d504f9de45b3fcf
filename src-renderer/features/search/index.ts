export { default as OnlineForm } from './OnlineForm.svelte';
export { default as QueryChips } from './QueryChips.svelte';
export { default as SearchTrigger } from './SearchTrigger.svelte';
export { prepareSearch } from './search.svelte.ts';
export { withSearch, withText } from './search-text.ts';
