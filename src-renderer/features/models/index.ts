export { namedPrice, wordForPrices } from './model-columns.ts';
export { ModelsState, setModelsContext } from './models.svelte.ts';
export { default as PriceNews } from './PriceNews.svelte';
