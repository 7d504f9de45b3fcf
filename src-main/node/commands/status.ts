import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { GatewaySource } from '../../contract/model/gateway.ts';
import type { Counts } from '../../contract/model/counts.ts';
import type { NewsSource, ResourceStatus, SyncStatus } from '../../contract/model/sync-status.ts';
import type { SyncHealth } from '../../contract/model/visit.ts';
import type { Invocation } from '../invocation.ts';
import { call, openReadingCore } from '../open-core.ts';
import { EXIT } from '../shell.ts';
import type { ExitCode } from '../shell.ts';
import { byteSize, counted, formatCount } from '../../common/numbers.ts';
import { red, yellow, type Text } from '../styled-text.ts';
import { jsonLine, localTime } from '../terminal.ts';
import { warningText } from '../warning-text.ts';
import { hintNothingStored } from './hints.ts';
import { statusAsJson } from './json-names.ts';
import { confirmingText, fact } from './outcome.ts';

interface StoredFile {
  name: string;
  bytes: number;
}

/**
 * Prints what is saved, how old it is, what failed and what is due next, without any request. With `check`, also checks the
 * databases: exit code 1 if one is damaged.
 */
export async function status(invocation: Invocation, { check }: { check: boolean }): Promise<ExitCode> {
  const { shell, json, dataFolder } = invocation;
  const opened = await openReadingCore(invocation, { current: true });
  if (!opened) {
    if (json) await shell.out.line(jsonLine({ dataFolder, stored: false }));
    await hintNothingStored(invocation);
    return EXIT.well;
  }
  try {
    const sync = await call(opened.wire, 'sync.status', {});
    const counts = await call(opened.wire, 'counts.get', {});
    const health = await call(opened.wire, check ? 'health.check' : 'health.get', {});
    const files = await filesOf(dataFolder);
    if (json) {
      const { integrity, runs } = health;
      const services = { source: sourceOf(sync.source), gateway: sync.gateway && sourceOf(sync.gateway) };
      const account = { dataFolder, stored: true, ...statusAsJson(sync), ...services, counts, files, integrity, runs };
      await shell.out.line(jsonLine(account));
    } else {
      for (const text of statusText(dataFolder, { sync, counts, files, health })) await shell.out.line(text);
    }
    return health.integrity?.sound === false ? EXIT.failed : EXIT.well;
  } finally {
    await opened.close();
  }
}

/** Only the address is stored with the data, not where it was configured. */
function sourceOf({ address, demo }: NewsSource | GatewaySource): { address: string | null; demo: boolean } {
  return { address: demo ? null : address, demo };
}

async function filesOf(folder: string): Promise<StoredFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  return Promise.all(names.sort().map(async (name) => ({ name, bytes: await sizeOf(path.join(folder, name)) })));
}

/** 0 for a file that another process has just removed. */
async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Empty for normal polling. */
function pollingText({ pause, polling }: SyncStatus): Text[] {
  if (pause) return [fact('Polling', `paused ${pause.until ? `until ${localTime(pause.until)}` : 'until resumed'}`)];
  if (polling === 'usual') return [];
  return [fact('Polling', polling === 'byHand' ? 'manual only' : 'a quarter as often as usual')];
}

interface Account {
  sync: SyncStatus;
  counts: Counts;
  files: StoredFile[];
  health: SyncHealth;
}

function statusText(folder: string, { sync, counts, files, health }: Account): Text[] {
  const { all, selected, starred } = counts;
  return [
    fact('Source', sourceText(sync.source)),
    fact('Models', sync.gateway ? sourceText(sync.gateway) : 'no model service set'),
    fact('Folder', folder),
    fact('Saved', `${counted(all.total, 'item')}, ${all.unread} unread, ${starred.total} starred`),
    sync.selectedComplete
      ? fact('Selected', `${counted(selected.total, 'item')}, ${selected.unread} unread`)
      : fact('Selected', 'not downloaded completely yet'),
    ...pollingText(sync),
    ...sync.resources.flatMap((resource) => resourceText(resource, health)),
    fact('Files', files.map(({ name, bytes }) => `${name} ${byteSize(bytes, 'en')}`).join(', ')),
    ...integrityText(health),
    ...sync.storageWarnings.map((warning) => fact('Warning', yellow(warningText(warning)))),
  ];
}

function sourceText({ address, demo }: NewsSource | GatewaySource): string {
  return demo ? 'the built-in demo service' : address;
}

function resourceText(resource: ResourceStatus, { runs }: SyncHealth): Text[] {
  const facts = [
    `last success ${localTime(resource.lastSuccessAt)}`,
    `last attempt ${localTime(resource.lastTryAt)}`,
    `next due ${localTime(resource.nextDueAt)}`,
    `${formatCount('en', resource.rows)} saved`,
  ];
  const lines = [fact(resource.name, facts.join(', '))];
  if (resource.error !== null) {
    lines.push(
      fact(
        '',
        red(
          `failed ${counted(resource.failures, 'time')} in a row: ${resource.error.message} (${resource.error.code})`,
        ),
      ),
    );
  }
  if (resource.confirming !== null) {
    lines.push(fact('', yellow(confirmingText(resource.name, resource.confirming))));
  }
  const last = runs.find((run) => run.resource === resource.name);
  if (last) lines.push(fact('', `last run: ${runText(last)}`));
  if (last && last.skipped + last.reasons.length > 0) {
    const what = last.skipped > 0 ? `skipped ${counted(last.skipped, 'record')}` : 'some fields could not be read';
    lines.push(fact('', `${what}: ${last.reasons.join('; ')}`));
  }
  return lines;
}

function runText({ status, requests, changes }: SyncHealth['runs'][number]): string {
  return `${status === 'notModified' ? 'nothing new' : status}, ${counted(requests, 'request')}, ${counted(changes, 'change')}`;
}

function integrityText({ integrity }: SyncHealth): Text[] {
  if (integrity === null) return [fact('Checked', 'never; check the databases with status --check')];
  const at = localTime(integrity.at);
  if (integrity.sound) return [fact('Checked', `${at}, no damage found`)];
  return [fact('Checked', red(`${at}, damaged`)), ...integrity.messages.map((message) => fact('', message))];
}
