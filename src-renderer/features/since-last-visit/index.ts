/** What the app and other features use of the news since the last visit. */
export { default as SinceLastVisit } from './SinceLastVisit.svelte';
export { SinceLastVisitState } from './since-last-visit.svelte.ts';
