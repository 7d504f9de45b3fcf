/** What the app uses of the palette. The dialog is loaded by its file when it is first opened. */
export { RecentsState, type Recent, type RecentTarget } from './recents.svelte.ts';
export type { PaletteEntry, PaletteGroup } from './entry.ts';
