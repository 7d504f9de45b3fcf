/** Exports for the app. Views are loaded from their files when they are first opened. */
export { ModelsState, setModelsContext } from './models.svelte.ts';
