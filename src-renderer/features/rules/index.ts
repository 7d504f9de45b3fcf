export { savedQueryOf } from './mute-query.ts';
export { ruleFailure } from './rule-failure.ts';
export { RulesState } from './rules.svelte.ts';
export { default as SaveSearchButton } from './SaveSearchButton.svelte';
export { default as MuteMenu } from './MuteMenu.svelte';
