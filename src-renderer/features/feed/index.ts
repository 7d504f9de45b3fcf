export { default as ListPane } from './ListPane.svelte';
export { feedContext, FeedState, setFeedContext } from './feed.svelte.ts';
export type { RowAnchor } from './item-rows.svelte.ts';
export { markItems, type Marked } from './marking.ts';
export type { RemovalReason } from './listed-items.ts';
export { filterCount, FIRST_QUERY, queryKey, queryOf, sameView, viewName, viewOf, withFold } from './query.ts';
export { scaled } from './row-height.ts';
export { savedNames } from './saved-names.svelte.ts';
