export { default as SinceLastVisit } from './SinceLastVisit.svelte';
export { endVisit, visitCounts } from './visit-counts.ts';
