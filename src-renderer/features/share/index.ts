export { default as ShareButton } from './ShareButton.svelte';
export { cardActions, dailyCard, itemCard } from './card.ts';
export { markdownList, sharedItem, sharedReport, sharedStory, type Shared } from './shared.ts';
