import type { Database } from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { nameKey } from '../../common/text.ts';
import { BroadsheetError, type FailureReason } from '../../contract/errors.ts';
import { LONGEST_RULE_NAME, MOST_MUTE_RULES, MOST_SAVED_SEARCHES } from '../../contract/model/rules.ts';
import { compileRule, type RuleKind } from './rule-query.ts';

export interface SavedSearchRow {
  id: string;
  name: string;
  query: string;
  notify: number;
  position: number;
  created_at: number;
}

export interface MuteRuleRow {
  id: string;
  query: string;
  created_at: number;
}

/** What of a rule decides which items it matches. */
export interface RuleSource {
  kind: RuleKind;
  id: string;
  query: string;
}

type Change = { name?: string; query?: string; notify?: boolean };

/**
 * The tables `saved_search` and `mute_rule` of user.db. Call `AppliedRules.follow` after every change, within the same
 * transaction.
 */
export class RulesTable {
  readonly #saved;
  readonly #putSaved;
  readonly #removeSaved;
  readonly #setPosition;
  readonly #mutes;
  readonly #putMute;
  readonly #removeMute;

  constructor(database: Database) {
    this.#saved = database.prepare<[], SavedSearchRow>(
      'SELECT id, name, query, notify, position, created_at FROM user.saved_search ORDER BY position, created_at, id',
    );
    this.#putSaved = database.prepare<[string, string, string, string, number, number, number]>(
      `INSERT OR REPLACE INTO user.saved_search (id, name, folded, query, notify, position, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#removeSaved = database.prepare<[string]>('DELETE FROM user.saved_search WHERE id = ?');
    this.#setPosition = database.prepare<[number, string]>('UPDATE user.saved_search SET position = ? WHERE id = ?');
    this.#mutes = database.prepare<[], MuteRuleRow>(
      'SELECT id, query, created_at FROM user.mute_rule ORDER BY created_at, id',
    );
    this.#putMute = database.prepare<[string, string, number]>(
      'INSERT OR REPLACE INTO user.mute_rule (id, query, created_at) VALUES (?, ?, ?)',
    );
    this.#removeMute = database.prepare<[string]>('DELETE FROM user.mute_rule WHERE id = ?');
  }

  /** In the reader's order. */
  saved(): SavedSearchRow[] {
    return this.#saved.all();
  }

  /** Oldest first. */
  mutes(): MuteRuleRow[] {
    return this.#mutes.all();
  }

  /** Everything that is matched. */
  sources(): RuleSource[] {
    return [
      ...this.mutes().map(({ id, query }) => ({ kind: 'mute' as const, id, query })),
      ...this.saved().map(({ id, query }) => ({ kind: 'saved' as const, id, query })),
    ];
  }

  /**
   * Adds a saved search at the end, or one that was removed (`was`) where it stood. Returns its id. Errors:
   * `invalid_argument` for a name in use, a query that can't be used, and one too many.
   */
  addSaved({ name, query, notify }: Required<Change>, now: number, was?: { id: string; position: number }): string {
    const rows = this.saved();
    if (rows.length >= MOST_SAVED_SEARCHES) {
      throw invalid(
        'rule_too_many',
        `There are already ${String(MOST_SAVED_SEARCHES)} saved searches. Remove one of them first.`,
      );
    }
    const id = was !== undefined && !rows.some((row) => row.id === was.id) ? was.id : newId();
    const position = was?.position ?? 1 + Math.max(-1, ...rows.map((row) => row.position));
    this.#save({ id, name, query, notify: Number(notify), position, created_at: now });
    return id;
  }

  /** Errors: `not_found`, and those of {@link addSaved}. */
  changeSaved(id: string, change: Change): void {
    const row = this.saved().find((one) => one.id === id);
    if (!row) throw removedSearch();
    const { notify, ...texts } = change;
    this.#save({ ...row, ...texts, ...(notify !== undefined && { notify: Number(notify) }) });
  }

  /** Puts a search at place `to` of the order, from 0. Positions are then 0, 1, 2, …. Errors: `not_found`. */
  moveSaved(id: string, to: number): void {
    const rows = this.saved();
    const row = rows.find((one) => one.id === id);
    if (!row) throw removedSearch();
    const others = rows.filter((one) => one !== row);
    for (const [position, one] of others.toSpliced(to, 0, row).entries()) {
      if (one.position !== position) this.#setPosition.run(position, one.id);
    }
  }

  /** Returns what was removed; null if there is no such search. */
  removeSaved(id: string): SavedSearchRow | null {
    const row = this.saved().find((one) => one.id === id);
    this.#removeSaved.run(id);
    return row ?? null;
  }

  /**
   * Adds a mute rule; one with the same query is not added again. Returns its id, and whether it is new. Errors: `invalid_argument` for a query
   * that can't be used, and for one too many.
   */
  addMute(text: string, now: number, was?: string): { id: string; added: boolean } {
    const query = text.trim();
    const rows = this.mutes();
    const same = rows.find((row) => row.query === query);
    if (same) return { id: same.id, added: false };
    if (rows.length >= MOST_MUTE_RULES) {
      throw invalid(
        'rule_too_many',
        `There are already ${String(MOST_MUTE_RULES)} mute rules. Remove one of them first.`,
      );
    }
    refuseUnusable('mute', query);
    const id = was !== undefined && !rows.some((row) => row.id === was) ? was : newId();
    this.#putMute.run(id, query, now);
    return { id, added: true };
  }

  /** Returns what was removed; null if there is no such rule. */
  removeMute(id: string): MuteRuleRow | null {
    const row = this.mutes().find((one) => one.id === id);
    this.#removeMute.run(id);
    return row ?? null;
  }

  /**
   * Merges a saved search of another copy of user.db: the file wins where both have it, by id or by name. Returns null if
   * there are too many.
   */
  mergeSaved(row: SavedSearchRow): boolean | null {
    const rows = this.saved();
    const folded = nameKey(row.name);
    const namesake = rows.find((one) => nameKey(one.name) === folded);
    const here = namesake ?? rows.find((one) => one.id === row.id);
    if (!here && rows.length >= MOST_SAVED_SEARCHES) return null;
    const merged = { ...row, id: here?.id ?? row.id, created_at: here?.created_at ?? row.created_at };
    if (here && JSON.stringify(inOrder(here)) === JSON.stringify(inOrder(merged))) return false;
    this.#put(merged);
    return true;
  }

  /** Merges a mute rule of another copy of user.db. Returns null if there are too many. */
  mergeMute(row: MuteRuleRow): boolean | null {
    const rows = this.mutes();
    const here = rows.find((one) => one.id === row.id || one.query === row.query);
    if (here?.query === row.query) return false;
    if (!here && rows.length >= MOST_MUTE_RULES) return null;
    this.#putMute.run(row.id, row.query, row.created_at);
    return true;
  }

  /**
   * Sets a saved search as another machine has it; null removes it. Of two with one name, the one with the greater id gets
   * another name, on each machine the same. Returns false if there are too many.
   */
  carrySaved(id: string, row: SavedSearchRow | null): boolean {
    if (row === null) {
      this.#removeSaved.run(id);
      return true;
    }
    const others = this.saved().filter((one) => one.id !== id);
    if (others.length >= MOST_SAVED_SEARCHES) return false;
    const names = new Set([...others, row].map(({ name }) => nameKey(name)));
    const namesake = others.find((one) => nameKey(one.name) === nameKey(row.name));
    if (namesake && namesake.id > id) {
      this.#put({ ...namesake, name: freeName(namesake.name, names) });
    }
    const name = namesake && namesake.id < id ? freeName(row.name, names) : row.name;
    this.#put({ ...row, name });
    return true;
  }

  /** Sets the mute rule with this query as another machine has it; null removes it. Returns false if there are too many. */
  carryMute(query: string, row: MuteRuleRow | null): boolean {
    const rows = this.mutes();
    const here = rows.find((one) => one.query === query);
    if (row === null) {
      if (here) this.#removeMute.run(here.id);
      return true;
    }
    if (!here && rows.length >= MOST_MUTE_RULES) return false;
    const isTaken = rows.some((one) => one.id === row.id && one.query !== query);
    if (here && here.id !== row.id) this.#removeMute.run(here.id);
    this.#putMute.run(isTaken ? newId() : row.id, row.query, row.created_at);
    return true;
  }

  #save(row: SavedSearchRow): void {
    const name = row.name.trim();
    const query = row.query.trim();
    const folded = nameKey(name);
    refuseUnusable('saved', query);
    const namesake = this.saved().find((one) => one.id !== row.id && nameKey(one.name) === folded);
    if (namesake)
      throw invalid('rule_name_taken', `A saved search named “${namesake.name}” already exists. Choose another name.`);
    this.#put({ ...row, name, query });
  }

  #put({ id, name, query, notify, position, created_at }: SavedSearchRow): void {
    this.#putSaved.run(id, name, nameKey(name), query, notify, position, created_at);
  }
}

/** `name (2)`, or with the next number that is free. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const names = Array.from({ length: taken.size + 1 }, (_none, at) => {
    const end = ` (${String(at + 2)})`;
    return name.slice(0, LONGEST_RULE_NAME - end.length).toWellFormed() + end;
  });
  return names.find((one) => !taken.has(nameKey(one))) ?? name;
}

function removedSearch(): BroadsheetError {
  return new BroadsheetError('not_found', 'This saved search was removed.');
}

function inOrder({ id, name, query, notify, position, created_at }: SavedSearchRow): unknown[] {
  return [id, name, query, notify, position, created_at];
}

function refuseUnusable(kind: RuleKind, query: string): void {
  const { problem } = compileRule(kind, query);
  if (problem !== null) throw invalid(problem.reason, problem.message);
}

function invalid(reason: FailureReason, message: string): BroadsheetError {
  return new BroadsheetError('invalid_argument', message, { reason });
}

/** Short enough to be typed: for the command line. */
function newId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 8);
}
