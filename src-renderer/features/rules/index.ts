export { ruleFailure, rulesContext, RulesState, savedNameOf, savedQueryOf, setRulesContext } from './rules.svelte.ts';
export { default as SaveSearchButton } from './SaveSearchButton.svelte';
