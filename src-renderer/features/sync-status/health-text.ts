import { isModelList } from '../../../src-main/contract/model/resource.ts';
import type { ResourceStatus, SyncHealth } from '../../../src-main/contract/model/sync-status.ts';

const REASONS_PER_RUN = 5;

interface HealthContext {
  version: string;
  /** ms since 1970. */
  now: number;
  /** True if no gateway is set: its model lists are then not synced. */
  noGateway: boolean;
}

/** Formats the sync status for support: always in English, and without the messages of failures. */
export function healthText(health: SyncHealth, { version, now, noGateway }: HealthContext): string {
  const { resources, files, integrity, runs, paused, pausedUntil, facts } = health;
  return [
    `Broadsheet ${version}, ${new Date(now).toISOString()}`,
    ...Object.entries(facts).map(([name, value]) => `${name}: ${factText(value)}`),
    paused ? `paused until ${pausedUntil ?? 'resumed'}` : 'not paused',
    '',
    'Synced content',
    ...resources.map((resource) =>
      noGateway && isModelList(resource.name) ? `${resource.name}: no gateway set` : resourceLine(resource, now),
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

function resourceLine(resource: ResourceStatus, now: number): string {
  const { name, rows, confirming, lastTryAt, lastSuccessAt, nextDueAt, failures, error } = resource;
  const next = nextDueAt === null ? 'manual' : Date.parse(nextDueAt) <= now ? 'due now' : nextDueAt;
  const times = `last attempt ${lastTryAt ?? 'never'}, last success ${lastSuccessAt ?? 'never'}, next sync ${next}`;
  const request = error?.requestId ? ` (request ${error.requestId})` : '';
  const doubt = confirming
    ? `, confirming ${confirming.received} of ${confirming.stored} ${confirming.of ?? 'records'} since ${confirming.since}`
    : '';
  return `${name}: ${rows} rows, ${times}${doubt}${error ? `, failed ${failures}x: ${error.code}${request}` : ''}`;
}

function factText(value: SyncHealth['facts'][string]): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(factText).join('; ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
