import type { AppliedRules } from './applied-rules.ts';
import type { MuteRuleRow, RulesTable, SavedSearchRow } from './rules-table.ts';

interface RuleTables {
  rules: RulesTable;
  appliedRules: AppliedRules;
}

/** Changes rules, and has the mirror follow. Write within a transaction; errors are those of {@link RulesTable}. */
export class RuleWrites {
  readonly #rules: RulesTable;
  readonly #applied: AppliedRules;

  constructor({ rules, appliedRules }: RuleTables) {
    this.#rules = rules;
    this.#applied = appliedRules;
  }

  addSaved(...args: Parameters<RulesTable['addSaved']>): string {
    return this.#followed(this.#rules.addSaved(...args));
  }

  changeSaved(...args: Parameters<RulesTable['changeSaved']>): void {
    this.#rules.changeSaved(...args);
    this.#applied.follow(this.#rules.sources());
  }

  /** What they match stays. */
  moveSaved(...args: Parameters<RulesTable['moveSaved']>): void {
    this.#rules.moveSaved(...args);
  }

  removeSaved(id: string): SavedSearchRow | null {
    return this.#followed(this.#rules.removeSaved(id));
  }

  addMute(...args: Parameters<RulesTable['addMute']>): ReturnType<RulesTable['addMute']> {
    return this.#followed(this.#rules.addMute(...args));
  }

  removeMute(id: string): MuteRuleRow | null {
    return this.#followed(this.#rules.removeMute(id));
  }

  #followed<T>(result: T): T {
    this.#applied.follow(this.#rules.sources());
    return result;
  }
}
