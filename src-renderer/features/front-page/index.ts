/** Exports for the app and other features. */
export { frontActions, setFrontActions, type FrontActions } from './front-actions.ts';
