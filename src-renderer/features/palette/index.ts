/** Exports for the app. The dialog is loaded from its file when it is first opened. */
export { RecentsState, type Recent, type RecentTarget } from './recents.svelte.ts';
export type { PaletteEntry, PaletteGroup } from './entry.ts';
