import type { Database } from 'better-sqlite3';
import type { ReportKind } from '../../contract/model/report.ts';

/** The table `report_status` of user.db: which reports of a service were read. Write within a transaction. */
export class ReportStatusesTable {
  readonly #mirror: string;
  readonly #mark;
  readonly #unmark;

  /** @param mirror the name of the service that the reports belong to */
  constructor(database: Database, mirror: string) {
    this.#mirror = mirror;
    this.#mark = database.prepare<[string, string, string, number]>(
      'INSERT INTO user.report_status (mirror, kind, label, read_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#unmark = database.prepare<[string, string, string]>(
      'DELETE FROM user.report_status WHERE mirror = ? AND kind = ? AND label = ?',
    );
  }

  /** Returns true if it changed. `now` is ms since 1970. */
  mark(kind: ReportKind, label: string, read: boolean, now: number): boolean {
    const run = read ? this.#mark.run(this.#mirror, kind, label, now) : this.#unmark.run(this.#mirror, kind, label);
    return run.changes === 1;
  }
}
