import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { GatewaySource } from '../../contract/model/gateway.ts';
import type { Counts, NewsSource, ResourceStatus, SyncStatus } from '../../contract/model/item.ts';
import type { SyncHealth } from '../../contract/model/visit.ts';
import type { Invocation } from '../invocation.ts';
import { ask, openReadingCore } from '../open-core.ts';
import { EXIT } from '../shell.ts';
import type { ExitCode } from '../shell.ts';
import { byteSize, formatCount } from '../../common/numbers.ts';
import { counted, jsonLine, localTime, oneLine } from '../terminal.ts';
import { hintNothingStored } from './hints.ts';

interface StoredFile {
  name: string;
  bytes: number;
}

/**
 * What is stored, how old it is, what failed and what comes next, without asking the service anything. With `check`, whether
 * the databases are whole: exit 1 where one is not.
 */
export async function status(invocation: Invocation, { check }: { check: boolean }): Promise<ExitCode> {
  const { shell, json, dataFolder } = invocation;
  const opened = await openReadingCore(invocation);
  if (!opened) {
    if (json) await shell.out.line(jsonLine({ dataFolder, stored: false }));
    await hintNothingStored(invocation);
    return EXIT.well;
  }
  try {
    const sync = await ask(opened.wire, 'sync.status', {});
    const counts = await ask(opened.wire, 'counts.get', {});
    const health = await ask(opened.wire, check ? 'health.check' : 'health.get', {});
    const files = await filesOf(dataFolder);
    if (json) {
      const { integrity, runs } = health;
      const services = { source: sourceOf(sync.source), gateway: sync.gateway && sourceOf(sync.gateway) };
      const account = { dataFolder, stored: true, ...sync, ...services, counts, files, integrity, runs };
      await shell.out.line(jsonLine(account));
    } else {
      for (const line of statusInWords(dataFolder, { sync, counts, files, health }))
        await shell.out.line(oneLine(line));
    }
    return health.integrity?.sound === false ? EXIT.failed : EXIT.well;
  } finally {
    await opened.close();
  }
}

/** What is stored is known to be from an address, not who named it at that time. */
function sourceOf({ address, demo }: NewsSource | GatewaySource): { address: string | null; demo: boolean } {
  return { address: demo ? null : address, demo };
}

async function filesOf(folder: string): Promise<StoredFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  return Promise.all(names.sort().map(async (name) => ({ name, bytes: await sizeOf(path.join(folder, name)) })));
}

/** 0 for a file that another process has just taken away. */
async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Only what is not as usual. */
function pollingInWords({ pause, polling }: SyncStatus): string[] {
  if (pause) return [`Polling    rests until ${pause.until ? localTime(pause.until) : 'it is resumed'}`];
  if (polling === 'usual') return [];
  return [`Polling    ${polling === 'byHand' ? 'by hand only' : 'a quarter as often as usual'}`];
}

interface Account {
  sync: SyncStatus;
  counts: Counts;
  files: StoredFile[];
  health: SyncHealth;
}

function statusInWords(folder: string, { sync, counts, files, health }: Account): string[] {
  const { all, selected, starred } = counts;
  return [
    `Source     ${sourceInWords(sync.source)}`,
    `Models     ${sync.gateway ? sourceInWords(sync.gateway) : 'no model service is named'}`,
    `Folder     ${folder}`,
    `Stored     ${counted(all.total, 'item')}, ${all.unread} unread, ${starred.total} starred`,
    sync.selectedComplete
      ? `Selected   ${counted(selected.total, 'item')}, ${selected.unread} unread`
      : 'Selected   not fetched to its end yet',
    ...pollingInWords(sync),
    ...sync.resources.flatMap((resource) => resourceInWords(resource, health)),
    `Files      ${files.map(({ name, bytes }) => `${name} ${byteSize(bytes, 'en')}`).join(', ')}`,
    ...integrityInWords(health),
    ...sync.storageWarnings.map(
      ({ file, reason, setAsideAs }) =>
        `StoredNotification     ${file}: ${reason}${setAsideAs === null ? '' : `; kept as ${setAsideAs}`}`,
    ),
  ];
}

function sourceInWords({ address, demo }: NewsSource | GatewaySource): string {
  return demo ? 'the built-in demo service' : address;
}

function resourceInWords(resource: ResourceStatus, { runs }: SyncHealth): string[] {
  const facts = [
    `last success ${localTime(resource.lastSuccessAt)}`,
    `last try ${localTime(resource.lastTryAt)}`,
    `next due ${localTime(resource.nextDueAt)}`,
    `${formatCount('en', resource.rows)} stored`,
  ];
  const lines = [`${resource.name.padEnd(10)} ${facts.join(', ')}`];
  if (resource.error !== null) {
    lines.push(
      `           failed ${counted(resource.failures, 'time')} in a row: ${resource.error.message} (${resource.error.code})`,
    );
  }
  const last = runs.find((run) => run.resource === resource.name);
  if (last) lines.push(`           last run: ${runInWords(last)}`);
  if (last && last.skipped > 0) {
    lines.push(`           left out ${counted(last.skipped, 'unreadable record')}: ${last.reasons.join('; ')}`);
  }
  return lines;
}

function runInWords({ status, requests, changes }: SyncHealth['runs'][number]): string {
  return `${status === 'notModified' ? 'nothing new' : status}, ${counted(requests, 'request')}, ${counted(changes, 'change')}`;
}

function integrityInWords({ integrity }: SyncHealth): string[] {
  if (integrity === null) return ['Checked    never; status --check looks whether the databases are whole'];
  const at = localTime(integrity.at);
  if (integrity.sound) return [`Checked    ${at}, the databases are whole`];
  return [`Checked    ${at}, damaged`, ...integrity.messages.map((message) => `           ${message}`)];
}
