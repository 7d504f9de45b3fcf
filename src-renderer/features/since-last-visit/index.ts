export { Dividers, type Divider } from './dividers.svelte.ts';
export { visitCounts } from './visit-counts.ts';
