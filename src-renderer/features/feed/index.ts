/** Exports for the app and other features. */
export { default as ListPane } from './ListPane.svelte';
export { FeedState } from './feed.svelte.ts';
export type { RemovalReason } from './list/row-updates.svelte.ts';
export type { MarkedAsRead } from './list/list-marking.svelte.ts';
export type { ListPlace } from './list/list-start.ts';
export { FIRST_QUERY, queryKey, queryOf, sameView, viewName, viewOf, withFold, type ViewId } from './query.ts';
export { scaled } from './row-height.ts';
export { savedNames } from './saved-names.svelte.ts';
