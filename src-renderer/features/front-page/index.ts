/** Exports for the app. The view is loaded from its file when it is first shown. */
export type { FrontActions } from './front-actions.ts';
export { FrontPageState } from './front-page.svelte.ts';
