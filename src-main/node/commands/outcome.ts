import type { ResourceResult } from '../../contract/model/sync-status.ts';
import { counted, oneLine } from '../terminal.ts';

/** The result of syncing one resource, on one line. */
export function outcomeText(report: ResourceResult): string {
  if (report.status === 'notDue') return 'not due yet';
  const requests = counted(report.requests, 'request');
  if (report.status === 'notModified') return `nothing new (${requests})`;
  const older = report.older ? ` (${report.older} older)` : '';
  const changes = `${report.added} added${older}, ${report.revised} updated, ${report.withdrawn} removed`;
  const skipped = report.skipped === 0 ? '' : `, ${counted(report.skipped, 'invalid record')} skipped`;
  if (report.status === 'ok') return `${changes}${skipped} (${requests})`;
  // Said once per command, on stderr.
  if (report.error?.code === 'disk_full') return `failed: the disk is full (${requests})`;
  const id = report.error?.requestId === undefined ? '' : ` [request ${report.error.requestId}]`;
  return oneLine(`failed: ${report.error?.message ?? 'unknown reason'}${id} (${requests})`);
}
