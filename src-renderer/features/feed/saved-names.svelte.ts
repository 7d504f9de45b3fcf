import { SvelteMap } from 'svelte/reactivity';

/** The names of the saved searches by id, which queries and counters don't have. The feature `rules` keeps them. */
export const savedNames = new SvelteMap<string, string>();
