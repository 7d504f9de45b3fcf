/** Finds events since the last check for notifications. */
import { type ReportKind, isReportLabel } from '../../contract/model/report.ts';
import { newestListed } from '../reports/reports.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import { row, rows, sql, value, values, type Db } from '../sql.ts';

/** A report that failed more often is no longer waited for: later ones are found without it. */
const AWAITED_FAILURES = 9;

/** The state of a listed report that matters for notifications. */
export interface ListedReport {
  label: string;
  /** Its text is saved and the service still has it. */
  stored: boolean;
  /** It was never requested, or failed a few times: its text comes with a later sync. */
  missing: boolean;
}

/** The changes of a model list since a given refresh. */
export interface ModelListNews {
  /** The newest refresh: its id and time in ms since 1970. Null if there is none after the given one. */
  refresh: { id: number; at: number } | null;
  /** Models with changes, each once. */
  models: string[];
}

interface ReportRow {
  label: string;
  stored: number;
  missing: number;
}

const REPORTS_AFTER = sql`SELECT report.label, body IS NOT NULL AND gone_at IS NULL AS stored,
    body IS NULL AND gone_at IS NULL AND (requested_at IS NULL OR failures BETWEEN 1 AND ${AWAITED_FAILURES}) AS missing
  FROM main.report LEFT JOIN fetchLog.report_request AS request ON request.kind = report.kind AND request.label = report.label
  WHERE report.kind = ? AND report.label > ? AND report.label <= ? ORDER BY report.label`;

/** Returns the label of the newest listed report, saved or not, that is not later than `until`; '' if there is none. */
export function newestReport(db: Db, kind: ReportKind, until: string): string {
  return newestListed(db, kind, until) ?? '';
}

/** Returns the reports after a label, oldest first, not later than `until`. */
export function reportsAfter(db: Db, kind: ReportKind, label: string, until: string): ListedReport[] {
  return rows<ReportRow>(db, REPORTS_AFTER, kind, label, until)
    .filter((report) => isReportLabel(kind, report.label))
    .map((report) => ({ label: report.label, stored: report.stored === 1, missing: report.missing === 1 }));
}

/** Returns the id of a model list's newest refresh; 0 if there is none. `owner` is a gateway's `catalogueName`. */
export function newestRefresh(db: Db, owner: string, modelList: ModelListName): number {
  const id = value<number | null>(
    db,
    'SELECT max(id) FROM models.refresh WHERE owner = ? AND model_list = ?',
    owner,
    modelList,
  );
  return id ?? 0;
}

/** Returns what changed after a refresh, without changes that come from using another API key. */
export function modelListAfter(db: Db, owner: string, modelList: ModelListName, refresh: number): ModelListNews {
  const newest = row<{ id: number; at: number }>(
    db,
    'SELECT id, at FROM models.refresh WHERE owner = ? AND model_list = ? AND id > ? ORDER BY id DESC LIMIT 1',
    ...[owner, modelList, refresh],
  );
  if (!newest) return { refresh: null, models: [] };
  const models = values<string>(
    db,
    `SELECT DISTINCT model FROM models.refresh JOIN models.change ON change.refresh = refresh.id
     WHERE owner = ? AND model_list = ? AND refresh.id > ? AND other_key = 0 ORDER BY model`,
    ...[owner, modelList, refresh],
  );
  return { refresh: newest, models };
}

export function isModelListed(db: Db, owner: string, modelList: ModelListName, model: string): boolean {
  const found = value<number>(
    db,
    'SELECT 1 FROM models.model WHERE owner = ? AND model_list = ? AND id = ?',
    ...[owner, modelList, model],
  );
  return found === 1;
}
