/** Exports for the app and other features. */
export { default as SinceLastVisit } from './SinceLastVisit.svelte';
export { SinceLastVisitState } from './since-last-visit.svelte.ts';
