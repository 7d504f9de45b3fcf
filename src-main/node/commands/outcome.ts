import { counted, formatCount } from '../../common/numbers.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import type { Confirming, ResourceResult } from '../../contract/model/sync-status.ts';
import { dim, line, type Text } from '../styled-text.ts';
import { localTime, oneLine } from '../terminal.ts';

export function outcomeText(report: ResourceResult): string {
  if (report.status === 'notDue') return notDueText(report);
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

function notDueText({ waitUntil }: ResourceResult): string {
  return waitUntil === undefined ? 'not due yet' : `the service asked to wait until ${localTime(waitUntil)}`;
}

function leftOutText({ skipped, unreadableFields = 0, missed = 0 }: ResourceResult): string {
  return [
    missed === 0 ? '' : `, ${formatCount('en', missed)} could not be downloaded`,
    skipped === missed ? '' : `, ${counted(skipped - missed, 'invalid record')} skipped`,
    unreadableFields === 0 ? '' : `, ${counted(unreadableFields, 'field')} could not be read`,
  ].join('');
}

export function fact(name: string, value: Text): Text {
  return line`${dim(name.padEnd(10))} ${value}`;
}

export function confirmingText(name: ResourceName, confirming: Confirming): string {
  if (confirming.of === 'marked') {
    const { received, stored, since } = confirming;
    return `confirming: since ${localTime(since)}, the set has ${received} of the ${stored} items that the list of all items marks as selected; it is downloaded again to check`;
  }
  const returned = `confirming: the service returned ${portionText(confirming)} since ${localTime(confirming.since)}`;
  return confirming.acceptable
    ? `${returned}; nothing changes until it returns the rest or you run \`broadsheet sync --accept ${name}\``
    : `${returned}; nothing is removed until it does so again`;
}

/** Returns how much of what is saved a smaller answer has: `3 of 12 models`. */
export function portionText({ received, stored, of }: Confirming): string {
  const what = of === 'contextLengths' ? ' context lengths' : of === undefined ? '' : ` ${of}`;
  return `${received} of ${stored}${what}`;
}
