/** What the app uses of the guide. The dialog is loaded by its file when it is first opened. */
export { GuideState } from './guide.svelte.ts';
