import { SvelteMap } from 'svelte/reactivity';
import type { SavedSearch } from '../../../src-main/contract/model/search.ts';

/** The saved searches by id, which queries and counters don't have. The feature `rules` keeps them. */
export const savedNames = new SvelteMap<string, Pick<SavedSearch, 'name' | 'query'>>();
