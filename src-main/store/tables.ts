import type { Database } from 'better-sqlite3';
import { IntegrityProperty } from './database/health.ts';
import { Properties } from './database/properties.ts';
import { AddressesTable } from './items/addresses-table.ts';
import { Counters } from './items/counters.ts';
import { ReadingStart } from './items/reading-start.ts';
import { ListIndexes } from './items/lists/list-indexes.ts';
import { SelectedSet } from './items/selected-set.ts';
import { ReportsTable } from './reports/reports-table.ts';
import { FetchLog } from './schedule/fetch-log.ts';
import { PendingLog } from './schedule/pending-log.ts';
import { SourcesTable } from './sources/sources-table.ts';
import { AppliedRules } from './rules/applied-rules.ts';
import { RuleMatcher } from './rules/rule-matcher.ts';
import { RulesTable } from './rules/rules-table.ts';
import { CoverageTable } from './stories/coverage-table.ts';
import { FoldsTable } from './stories/folds-table.ts';
import { StoriesTable } from './stories/stories-table.ts';

export type Tables = ReturnType<typeof createTables>;

/** The tables that queries and transactions share: one set per connection. */
export function createTables(database: Database) {
  /** The properties of mirror.db and of user.db. */
  const mirror = new Properties(database, 'main');
  const user = new Properties(database, 'user');
  const pendingLog = new PendingLog();
  const addresses = new AddressesTable(database, mirror);
  const folds = new FoldsTable(database);
  const coverage = new CoverageTable(database, addresses, folds);
  const appliedRules = new AppliedRules(database, mirror);
  const counters = new Counters(database, appliedRules);
  return {
    pendingLog,
    mirror,
    user,
    selectedSet: new SelectedSet(mirror),
    counters,
    appliedRules,
    rules: new RulesTable(database),
    ruleMatcher: new RuleMatcher(database, { rules: appliedRules, counters, folds }),
    readingStart: new ReadingStart(database, { counters, user, mirror }),
    addresses,
    coverage,
    folds,
    sources: new SourcesTable(database),
    listIndexes: new ListIndexes(database),
    stories: new StoriesTable(database, { coverage, mirror }),
    reports: new ReportsTable(database, pendingLog),
    fetchLog: new FetchLog(database, mirror, pendingLog),
    integrity: new IntegrityProperty(mirror),
  };
}
