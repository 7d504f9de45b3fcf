export { RecentsState, type Recent, type RecentTarget } from './recents.svelte.ts';
export type { PaletteEntry, PaletteGroup } from './entry.ts';
