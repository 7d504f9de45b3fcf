/** What the app uses of the models. The views are loaded by their files when they are first opened. */
export { MODEL_PANELS, ModelsState, type ModelPanel } from './models.svelte.ts';
export { ModelActions } from './model-actions.ts';
