import { isModelList } from '../../../src-main/contract/model/resource.ts';
import type { ResourceStatus } from '../../../src-main/contract/model/sync-status.ts';
import type { SyncHealth } from '../../../src-main/contract/model/visit.ts';

const REASONS_PER_RUN = 5;

interface Circumstances {
  version: string;
  /** ms since 1970. */
  now: number;
  /** Whether no gateway is named: its model lists are then not asked for. */
  noGateway: boolean;
}

/** Data health as text for support: in English whatever the page's language, without a failure's free words. */
export function healthText(health: SyncHealth, { version, now, noGateway }: Circumstances): string {
  const { resources, files, integrity, runs, paused, pausedUntil, facts } = health;
  return [
    `Broadsheet ${version}, ${new Date(now).toISOString()}`,
    ...Object.entries(facts).map(([name, value]) => `${name}: ${shown(value)}`),
    paused ? `paused until ${pausedUntil ?? 'resumed'}` : 'not paused',
    '',
    'Synced content',
    ...resources.map((resource) =>
      noGateway && isModelList(resource.name) ? `${resource.name}: no gateway set` : resourceLine(resource),
    ),
    '',
    'Database files',
    ...files.map(({ name, bytes }) => `${name}: ${bytes} bytes`),
    `database check: ${integrity ? `${integrity.sound ? 'ok' : 'damaged'} at ${integrity.at}` : 'not checked'}`,
    ...(integrity?.messages ?? []).map((message) => `  ${message}`),
    '',
    'Recent syncs',
    ...runs.flatMap(({ resource, at, status, requests, changes, skipped, reasons }) => [
      `${at} ${resource} ${status}: ${requests} requests, ${changes} changes, ${skipped} skipped`,
      ...reasons.slice(0, REASONS_PER_RUN).map((reason) => `  ${reason}`),
    ]),
  ].join('\n');
}

function resourceLine({ name, rows, lastTryAt, lastSuccessAt, nextDueAt, failures, error }: ResourceStatus): string {
  const times = `last attempt ${lastTryAt ?? 'never'}, last success ${lastSuccessAt ?? 'never'}, next sync ${nextDueAt ?? 'due now'}`;
  const request = error?.requestId ? ` (request ${error.requestId})` : '';
  return `${name}: ${rows} rows, ${times}${error ? `, failed ${failures}x: ${error.code}${request}` : ''}`;
}

function shown(value: SyncHealth['facts'][string]): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(shown).join('; ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
