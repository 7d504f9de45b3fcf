/** Exports for the app. Views are loaded from their files when they are first opened. */
export { MODEL_PANELS, ModelsState, setModelsContext, type ModelPanel } from './models.svelte.ts';
