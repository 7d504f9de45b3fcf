/** Exports for the app. The dialog is loaded from its file when it is first opened. */
export { GuideState } from './guide.svelte.ts';
