/** Exports for the app. */
export type { FrontActions } from './front-actions.ts';
export { FrontPageState } from './front-page.svelte.ts';
