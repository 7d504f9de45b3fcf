export { savedQueryOf } from './mute-query.ts';
export { ruleFailure, RulesState } from './rules.svelte.ts';
export { default as SaveSearchButton } from './SaveSearchButton.svelte';
export { default as MuteMenu } from './MuteMenu.svelte';
