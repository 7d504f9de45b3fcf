import type { Database } from 'better-sqlite3';
import { asTime } from '../../common/timestamp.ts';
import type { MuteRule, RuleProgress, SavedSearch } from '../../contract/model/rules.ts';
import type { Counters } from '../items/counters.ts';
import type { SelectedSet } from '../items/selected-set.ts';
import type { RuleMatcher } from './rule-matcher.ts';
import { compileRule } from './rule-query.ts';
import type { RulesTable } from './rules-table.ts';

interface RuleTables {
  rules: RulesTable;
  ruleMatcher: RuleMatcher;
  counters: Counters;
  selectedSet: SelectedSet;
}

const NOTHING = { total: 0, unread: 0 };

/** The reader's rules with what they match. */
export class RuleQueries {
  readonly #tables: RuleTables;
  readonly #hides;

  constructor(database: Database, tables: RuleTables) {
    this.#tables = tables;
    this.#hides = database.prepare<[], { id: string; hides: number }>(
      `SELECT id, (SELECT count(*) FROM rule_match WHERE rule_match.slot = rule.slot) AS hides FROM rule
       WHERE kind = 'mute' AND gone = 0`,
    );
  }

  /** In the reader's order. */
  saved(): SavedSearch[] {
    const { rules, counters, selectedSet } = this.#tables;
    const counts = new Map(counters.read(selectedSet.complete).saved.map(({ id, ...count }) => [id, count]));
    return rules.saved().map(({ id, name, query, notify, position }) => ({
      ...{ id, name, query, position },
      notify: notify === 1,
      count: counts.get(id) ?? NOTHING,
      problem: compileRule('saved', query).problem,
    }));
  }

  /** Newest first. */
  mutes(): MuteRule[] {
    const hides = new Map(this.#hides.all().map((row) => [row.id, row.hides]));
    return this.#tables.rules
      .mutes()
      .map(({ id, query, created_at }) => ({
        ...{ id, query },
        createdAt: asTime(created_at) ?? '',
        hides: hides.get(id) ?? 0,
        problem: compileRule('mute', query).problem,
      }))
      .reverse();
  }

  /** How far saved items are matched with new rules; null if all are. */
  progress(): RuleProgress | null {
    const done = this.#tables.ruleMatcher.progress();
    return done === null ? null : { done };
  }
}
