import type { Database } from 'better-sqlite3';
import type { ReportKind } from '../../contract/model/report.ts';
import { isReportLabel } from '../../contract/report-labels.ts';
import { newestLabel } from '../reports/report-rows.ts';
import type { ModelListName } from '../../contract/model/resource.ts';

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

/** Finds what happened since the last check for notifications. Reads only. */
export class NotificationSources {
  readonly #labels;
  readonly #reports;
  readonly #newestRefresh;
  readonly #refreshesAfter;
  readonly #models;
  readonly #isListed;

  constructor(database: Database) {
    this.#labels = database
      .prepare<[string, string], string>(
        'SELECT label FROM main.report WHERE kind = ? AND label <= ? ORDER BY label DESC',
      )
      .pluck();
    this.#reports = database.prepare<[string, string, string], ReportRow>(
      `SELECT report.label, body IS NOT NULL AND gone_at IS NULL AS stored,
              body IS NULL AND gone_at IS NULL AND (requested_at IS NULL OR failures BETWEEN 1 AND ${String(AWAITED_FAILURES)}) AS missing
       FROM main.report LEFT JOIN fetchLog.report_request AS request ON request.kind = report.kind AND request.label = report.label
       WHERE report.kind = ? AND report.label > ? AND report.label <= ? ORDER BY report.label`,
    );
    this.#newestRefresh = database
      .prepare<[string, string], number | null>('SELECT max(id) FROM models.refresh WHERE owner = ? AND model_list = ?')
      .pluck();
    this.#refreshesAfter = database.prepare<[string, string, number], { id: number; at: number }>(
      'SELECT id, at FROM models.refresh WHERE owner = ? AND model_list = ? AND id > ? ORDER BY id DESC LIMIT 1',
    );
    this.#models = database
      .prepare<[string, string, number], string>(
        `SELECT DISTINCT model FROM models.refresh JOIN models.change ON change.refresh = refresh.id
         WHERE owner = ? AND model_list = ? AND refresh.id > ? AND other_key = 0 ORDER BY model`,
      )
      .pluck();
    this.#isListed = database
      .prepare<[string, string, string], number>(
        'SELECT 1 FROM models.model WHERE owner = ? AND model_list = ? AND id = ?',
      )
      .pluck();
  }

  /** The label of the newest listed report, saved or not, that is not later than `until`; '' if there is none. */
  newestLabel(kind: ReportKind, until: string): string {
    return newestLabel(kind, this.#labels.iterate(kind, until)) ?? '';
  }

  /** Oldest first, not later than `until`. */
  reportsAfter(kind: ReportKind, label: string, until: string): ListedReport[] {
    return this.#reports
      .all(kind, label, until)
      .filter((row) => isReportLabel(kind, row.label))
      .map((row) => ({ label: row.label, stored: row.stored === 1, missing: row.missing === 1 }));
  }

  /** The id of a model list's newest refresh; 0 if there is none. `owner` is a gateway's `catalogueName`. */
  newestRefresh(owner: string, modelList: ModelListName): number {
    return this.#newestRefresh.get(owner, modelList) ?? 0;
  }

  /** Changes that come from using another API key are left out. */
  modelListAfter(owner: string, modelList: ModelListName, refresh: number): ModelListNews {
    const newest = this.#refreshesAfter.get(owner, modelList, refresh) ?? null;
    return { refresh: newest, models: newest ? this.#models.all(owner, modelList, refresh) : [] };
  }

  isModelListed(owner: string, modelList: ModelListName, model: string): boolean {
    return this.#isListed.get(owner, modelList, model) === 1;
  }
}
