export { default as OnlineForm } from './OnlineForm.svelte';
export { default as QueryChips } from './QueryChips.svelte';
export { default as SearchField } from './SearchField.svelte';
export { searchContext, SearchListState, setSearchContext } from './search-list.svelte.ts';
export { prepareSearch } from './search.svelte.ts';
export { chipsOf, withText } from './search-text.ts';
