/** Exports for the app. */
export { GuideState } from './guide.svelte.ts';
