import type { ResourceResult } from '../../contract/model/sync-status.ts';
import { counted, oneLine } from '../terminal.ts';

/** What one resource's run did, on one line. */
export function outcomeInWords(report: ResourceResult): string {
  if (report.status === 'notDue') return 'not due yet';
  const asked = counted(report.requests, 'request');
  if (report.status === 'notModified') return `nothing new (${asked})`;
  const changes = `${report.added} added, ${report.revised} revised, ${report.withdrawn} withdrawn`;
  const skipped = report.skipped === 0 ? '' : `, ${counted(report.skipped, 'unreadable record')} left out`;
  if (report.status === 'ok') return `${changes}${skipped} (${asked})`;
  const id = report.error?.requestId === undefined ? '' : ` [request ${report.error.requestId}]`;
  return oneLine(`failed: ${report.error?.message ?? 'no reason given'}${id} (${asked})`);
}
