import type { ReportKind } from '../../contract/model/report.ts';
import { THIS_MIRROR } from '../database/this-mirror.ts';
import { run, sql, type WritableDb } from '../sql.ts';

const MARK = sql`INSERT INTO user.report_status (mirror, kind, label, read_at) VALUES (${THIS_MIRROR}, ?, ?, ?)
  ON CONFLICT DO NOTHING`;
const UNMARK = sql`DELETE FROM user.report_status WHERE mirror = ${THIS_MIRROR} AND kind = ? AND label = ?`;

/** Marks a report as read or unread. Returns true if it changed. `now` is ms since 1970. */
export function mark(db: WritableDb, kind: ReportKind, label: string, read: boolean, now: number): boolean {
  const { changes } = read ? run(db, MARK, kind, label, now) : run(db, UNMARK, kind, label);
  return changes === 1;
}
