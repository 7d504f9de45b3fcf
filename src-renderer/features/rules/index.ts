export { ruleFailure, rulesContext, RulesState, setRulesContext } from './rules.svelte.ts';
export { default as SaveSearchButton } from './SaveSearchButton.svelte';
