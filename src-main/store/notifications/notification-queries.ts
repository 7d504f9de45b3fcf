/**
 * Notifications as shown, and events since the last check for them. Titles come from the saved data, so corrected headlines
 * appear in the history, too, and those of withdrawn content disappear.
 */
import { modelLine } from '../../common/model-line.ts';
import { asTime } from '../../common/time.ts';
import type { StoredNotification } from '../../contract/model/notification.ts';
import { isReportLabel, type ReportKind } from '../../contract/model/report.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import { readable, readOrNull } from '../database/stored-json.ts';
import { findModel, recordOf } from '../models/model-lists.ts';
import * as documents from '../documents.ts';
import * as records from '../records.ts';
import { headerOf } from '../reports/reports.ts';
import { findSearch } from '../rules/applied-rules.ts';
import { holds } from '../rules/rule-query.ts';
import { savedSearchRows } from '../rules/rules.ts';
import { row, rows, sql, value, type Db } from '../sql.ts';
import { findRecord as findStory } from '../stories/stories.ts';
import { freshIn, get as storyStatus, resolveStory } from '../stories/story-statuses.ts';
import { newest, type NotificationRecord, notifiedItems } from './notifications.ts';

interface SavedSearchFinding {
  search: string;
  items: string[];
}

interface NewRow {
  id: string;
  slot: number;
  bits: number;
  key: number;
  starred: number;
}

export interface ListedReport {
  label: string;
  /** The text is saved, and the service still has it. */
  stored: boolean;
  /** The text comes with a later sync. */
  missing: boolean;
}

interface ModelListNews {
  /** The newest one; null if there is none after the given one. */
  refresh: { id: number; at: number } | null;
  models: string[];
  priceChanged: boolean;
}

interface FirstItem {
  id: string;
  title: string;
  link: string | null;
}

interface ListedRow {
  label: string;
  stored: number;
  missing: number;
}

const MAX_TITLE = 300;
const MAX_NEW = 5_000;

/** A report that failed more often is no longer waited for: later ones are found without it. */
const AWAITED_FAILURES = 9;

const REPORTS_AFTER = sql`SELECT document.id AS label, body IS NOT NULL AND gone_at IS NULL AS stored,
    body IS NULL AND gone_at IS NULL AND (asked IS NULL OR failures BETWEEN 1 AND ${AWAITED_FAILURES}) AS missing
  FROM document LEFT JOIN fetch ON fetch.name = document.kind || '/' || document.id
  WHERE document.kind = ? AND document.id > ? AND document.id <= ? ORDER BY document.id`;

export function list(db: Db, limit: number): StoredNotification[] {
  return readable(db, newest(db, limit), (record) => describe(db, record));
}

export function describe(db: Db, record: NotificationRecord): StoredNotification {
  const { id, kind, at, count, target, toldAt } = record;
  const title = titleOf(db, record).replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE).toWellFormed();
  const label = labelOf(db, record);
  return { id, kind, at: asTime(at) ?? '', title, label, count, target, toldAt: asTime(toldAt) };
}

/** True if its content was seen, unfollowed or removed. */
export function isMoot(db: Db, record: NotificationRecord): boolean {
  const { target, mirror } = record;
  switch (target.view) {
    case 'report': {
      const isGone = (documents.line(db, target.kind, target.label)?.goneAt ?? null) !== null;
      return isGone || records.get(db, 'report', `${target.kind}/${target.label}`, mirror) !== null;
    }
    case 'saved': {
      const notifies = savedSearchRows(db).some(({ id, notify }) => id === target.id && notify === 1);
      return !notifies || stillNew(db, record).length === 0;
    }
    case 'story':
      return isStoryMoot(db, target.publicId);
    default:
      return false;
  }
}

export function stillNew(db: Db, { items }: Pick<NotificationRecord, 'items'>): string[] {
  return items.filter((id) => {
    const found = value<number>(
      db,
      'SELECT 1 FROM item CROSS JOIN item_index USING (arrival) WHERE item.id = ? AND unread = 1 AND muted = 0',
      id,
    );
    return found === 1;
  });
}

/** Returns what came to the saved searches that notify since write `sequence`, without what was notified before. */
export function newInSearches(db: Db, mirror: string, sequence: number, now: number): SavedSearchFinding[] {
  const wanted = savedSearchRows(db).flatMap(({ id, notify }) => {
    const applied = notify === 1 ? findSearch(db, id) : null;
    return applied ? [applied] : [];
  });
  if (wanted.length === 0) return [];
  // An item counts if both it and its match are new: neither one that was corrected, nor one that a new rule found.
  const found = rows<NewRow>(
    db,
    `SELECT item.id, slot, bits, item_index.key, item_index.starred FROM item_index INDEXED BY item_index_added
     CROSS JOIN rule_match USING (key) CROSS JOIN item USING (arrival)
     WHERE item_index.added > ? AND item_index.muted = 0 AND item_index.unread = 1 AND since > ?
     ORDER BY item_index.key DESC LIMIT ?`,
    ...[sequence, sequence, MAX_NEW],
  );
  return wanted.flatMap(({ id: search, slot, query }) => {
    const matches = found.filter(
      (one) => one.slot === slot && holds(query, one.bits, { unread: 1, starred: one.starred }, { key: one.key, now }),
    );
    if (matches.length === 0) return [];
    const notified = notifiedItems(db, mirror, { view: 'saved', id: search });
    const items = matches.map(({ id }) => id).filter((id) => !notified.has(id));
    return items.length === 0 ? [] : [{ search, items }];
  });
}

export function reportsAfter(db: Db, kind: ReportKind, label: string, until: string): ListedReport[] {
  return rows<ListedRow>(db, REPORTS_AFTER, kind, label, until)
    .filter((report) => isReportLabel(kind, report.label))
    .map((report) => ({ label: report.label, stored: report.stored === 1, missing: report.missing === 1 }));
}

/** Leaves out changes that come from using another API key. */
export function modelListAfter(db: Db, owner: string, modelList: ModelListName, refresh: number): ModelListNews {
  const newest = row<{ id: number; at: number }>(
    db,
    'SELECT id, at FROM user.refresh WHERE owner = ? AND model_list = ? AND id > ? ORDER BY id DESC LIMIT 1',
    ...[owner, modelList, refresh],
  );
  if (!newest) return { refresh: null, models: [], priceChanged: false };
  const changed = rows<{ model: string; priced: number }>(
    db,
    `SELECT model, max(field = 'price') AS priced FROM user.refresh JOIN user.change ON change.refresh = refresh.id
     WHERE owner = ? AND model_list = ? AND refresh.id > ? AND other_key = 0 GROUP BY model ORDER BY model`,
    ...[owner, modelList, refresh],
  );
  const priceChanged = changed.some(({ priced }) => priced === 1);
  return { refresh: newest, models: changed.map(({ model }) => model), priceChanged };
}

export function isModelListed(db: Db, owner: string, modelList: ModelListName, model: string): boolean {
  return findModel(db, owner, modelList, model) !== undefined;
}

function labelOf(db: Db, { target }: NotificationRecord): string | null {
  if (target.view === 'report') return target.label;
  if (target.view !== 'saved') return null;
  return savedSearchRows(db).find(({ id }) => id === target.id)?.name ?? null;
}

function isStoryMoot(db: Db, publicId: string): boolean {
  const id = resolveStory(db, publicId);
  const status = storyStatus(db, id);
  const stored = findStory(db, id);
  if (status === null || status.followedAt === null) return true;
  // Not saved yet in a rebuilt mirror: the news can't have been seen.
  if (!stored?.story) return stored !== null;
  if (stored.goneAt !== null) return true;
  const fresh = freshIn(stored.story, status);
  return fresh.reportIds.length === 0 && !fresh.digest;
}

function titleOf(db: Db, { target, mirror, items }: NotificationRecord): string {
  switch (target.view) {
    case 'report': {
      const line = documents.line(db, target.kind, target.label);
      return line?.goneAt === null ? (readOrNull(db, () => headerOf(line)?.headline) ?? '') : '';
    }
    case 'story': {
      const stored = findStory(db, resolveStory(db, target.publicId));
      return stored?.goneAt === null ? (stored.story?.title ?? '') : '';
    }
    case 'saved':
      return firstItem(db, items)?.title ?? '';
    case 'model':
      return modelName(db, mirror, target.modelList, target.id);
    default:
      return '';
  }
}

export function firstItem(db: Db, items: readonly string[]): FirstItem | null {
  for (const id of items) {
    const found = row<FirstItem>(
      db,
      `SELECT item.id, title, link_original AS link FROM item CROSS JOIN item_index USING (arrival)
       WHERE item.id = ? AND muted = 0`,
      id,
    );
    if (found) return found;
  }
  return null;
}

function modelName(db: Db, owner: string, modelList: ModelListName, id: string): string {
  const found = findModel(db, owner, modelList, id);
  return found ? modelLine(recordOf(db, found)).name : '';
}
