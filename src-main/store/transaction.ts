import * as health from './database/health.ts';
import { mirrorProperties } from './database/properties.ts';
import { forget } from './derived/derived.ts';
import { renewAll } from './derived/list.ts';
import { SelectedSetWriter } from './items/selected-set.ts';
import { createTouched } from './items/touched.ts';
import * as visits from './items/visits.ts';
import * as items from './items/write.ts';
import * as listIndexes from './lists/list-indexes.ts';
import * as arrivals from './devices/arrivals.ts';
import * as sharedFolder from './devices/shared-folder.ts';
import * as sharedSettings from './devices/shared-settings.ts';
import * as modelLists from './models/model-lists.ts';
import * as modelStatuses from './models/model-statuses.ts';
import * as notifications from './notifications/notifications.ts';
import * as records from './records.ts';
import * as reports from './reports/reports.ts';
import * as rules from './rules/rules.ts';
import * as documents from './documents.ts';
import * as fetches from './schedule/fetches.ts';
import * as schedule from './schedule/schedule.ts';
import { bindAll, type Bound, type WritableDb } from './sql.ts';
import * as actions from './statuses/actions.ts';
import { followRegister } from './statuses/item-statuses.ts';
import * as readingStart from './statuses/reading-start.ts';
import * as rankings from './stories/rankings.ts';
import * as stories from './stories/stories.ts';
import * as storyStatuses from './stories/story-statuses.ts';
import type { Tx, WriteSummary } from './tx.ts';
import { takeExported, type Taken } from './user-data/import.ts';
import * as notes from './user-data/notes.ts';
import * as presence from './user-data/presence.ts';

const DB_DOMAINS = {
  derived: { forget },
  documents,
  fetches,
  health,
  modelLists,
  notifications,
  presence,
  rankings,
  reports,
  schedule,
};
const TX_DOMAINS = {
  items,
  listIndexes,
  modelStatuses,
  notes,
  records,
  statuses: actions,
  readingStart,
  stories,
  storyStatuses,
  rules,
  devices: { ...arrivals, ...sharedFolder, ...sharedSettings },
  visits,
};

type Domains<D, M> = { [Name in keyof M]: Bound<D, M[Name]> };

export interface Transaction extends Domains<WritableDb, typeof DB_DOMAINS>, Domains<Tx, typeof TX_DOMAINS> {
  /** In ms since 1970. */
  readonly now: number;
  readonly summary: WriteSummary;
  readonly selectedSet: SelectedSetWriter;
  readonly userData: { take(exported: readonly records.Exported[]): Taken };
  readonly mirror: { set(name: string, value: string | null): void };
}

export function bindTransaction(tx: Tx): Transaction {
  const { db, now, summary } = tx;
  return {
    ...bindDomains(db, DB_DOMAINS),
    ...bindDomains(tx, TX_DOMAINS),
    now,
    summary,
    selectedSet: new SelectedSetWriter(db),
    userData: { take: (exported) => takeExported(tx, exported) },
    mirror: {
      set: (name, value) => {
        mirrorProperties.set(db, name, value);
      },
    },
  };
}

function bindDomains<D, M extends Record<string, object>>(db: D, domains: M): Domains<D, M> {
  const bound = Object.entries(domains).map(([name, domain]) => [name, bindAll(db, domain)]);
  return Object.fromEntries(bound) as Domains<D, M>;
}

/** Call it once after opening: user.db or another file may have changed meanwhile. */
export function catchUp(tx: Tx, wasLeftOpen: boolean): void {
  createTouched(tx.db);
  visits.nameBuild(tx.db);
  health.noteOpening(tx.db, wasLeftOpen, tx.now);
  listIndexes.createMissing(tx);
  readingStart.followStart(tx);
  followRegister(tx);
  renewAll(tx);
  rules.followRules(tx);
}
