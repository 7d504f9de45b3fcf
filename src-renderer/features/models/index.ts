export { ModelsState, setModelsContext } from './models.svelte.ts';
