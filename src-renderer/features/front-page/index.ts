/** What the app uses of the front page. Its view is loaded by its file when it is first shown. */
export type { FrontActions } from './front-actions.ts';
export { FrontPageState } from './front-page.svelte.ts';
