import { formatCount } from '../../common/numbers.ts';
import type { ResourceResult } from '../../contract/model/sync-status.ts';
import { counted, oneLine } from '../terminal.ts';

/** The result of syncing one resource, on one line. */
export function outcomeText(report: ResourceResult): string {
  if (report.status === 'notDue') return 'not due yet';
  const requests = counted(report.requests, 'request');
  const left = leftOutText(report);
  if (report.status === 'notModified') return `nothing new${left} (${requests})`;
  const older = report.older ? ` (${report.older} older)` : '';
  const changes = `${report.added} added${older}, ${report.revised} updated, ${report.withdrawn} removed`;
  if (report.status === 'ok') return `${changes}${left} (${requests})`;
  // Said once per command, on stderr.
  if (report.error?.code === 'disk_full') return `failed: the disk is full (${requests})`;
  const id = report.error?.requestId === undefined ? '' : ` [request ${report.error.requestId}]`;
  return oneLine(`failed: ${report.error?.message ?? 'unknown reason'}${id} (${requests})`);
}

function leftOutText({ skipped, missed = 0 }: ResourceResult): string {
  const invalid = skipped === missed ? '' : `, ${counted(skipped - missed, 'invalid record')} skipped`;
  return missed === 0 ? invalid : `, ${formatCount('en', missed)} could not be downloaded${invalid}`;
}
