/** Exports for other features. */
export { default as ShareButton } from './ShareButton.svelte';
export { cardActions, dailyCard, itemCard } from './card/card-actions.ts';
export { markdownList, type Shared } from './share-text.ts';
export { sharedItem, sharedReport, sharedStory } from './shared-things.ts';
