export { ruleFailure, rulesContext, RulesState, savedQueryOf, setRulesContext } from './rules.svelte.ts';
export { default as SaveSearchButton } from './SaveSearchButton.svelte';
export { default as MuteMenu } from './MuteMenu.svelte';
