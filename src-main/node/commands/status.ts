import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { byteSize, countOf, formatCount } from '../../common/numbers.ts';
import type { Counts } from '../../contract/model/item.ts';
import type { GatewaySource } from '../../contract/model/model.ts';
import type { ResourceName } from '../../contract/model/resource.ts';
import type {
  Confirming,
  NewsSource,
  ResourceStatus,
  SyncHealth,
  SyncStatus,
} from '../../contract/model/sync-status.ts';
import type { Call } from '../../contract/wire.ts';
import { systemClock } from '../../core/system-clock.ts';
import { flag, ownCommand } from '../command.ts';
import { print } from '../run-command.ts';
import { EXIT } from '../shell.ts';
import { dim, jsonLine, line, localTime, red, type Text, warningText, wordOf, yellow } from '../terminal-text.ts';

export const STATUS_COMMANDS = {
  // Exit code 1 if a database is damaged.
  status: ownCommand({
    about: 'show what is saved, how old it is and when the next sync is due',
    options: { check: flag('also check the databases for damage') },
    run: async ({ check }, invocation) => {
      const { shell, json, dataFolder } = invocation;
      const { nothingSaved, openReadingCore } = await import('../open-core.ts');
      const opened = await openReadingCore(invocation, { current: true });
      if (!opened) {
        if (json) await shell.out.line(jsonLine({ dataFolder, stored: false }));
        await shell.err.line(nothingSaved(invocation).message);
        return EXIT.well;
      }
      const account = await accountOf(dataFolder, opened.call, check).finally(opened.close);
      await print(invocation, accountAsJson(account), accountText(account));
      return account.health.integrity?.sound === false ? EXIT.failed : EXIT.well;
    },
  }),
};

interface Account {
  dataFolder: string;
  sync: SyncStatus;
  counts: Counts;
  health: SyncHealth;
  files: StoredFile[];
}

interface StoredFile {
  name: string;
  bytes: number;
}

async function accountOf(dataFolder: string, call: Call, check = false): Promise<Account> {
  const sync = await call('sync.status', {});
  const counts = await call('counts.get', {});
  const health = await call(check ? 'health.check' : 'health.get', {});
  return { dataFolder, sync, counts, health, files: await filesOf(dataFolder) };
}

function accountAsJson({ dataFolder, sync, counts, files, health: { integrity, runs } }: Account): object {
  const { storageWarnings: notices, ...status } = sync;
  const services = { source: sourceOf(sync.source), gateway: sync.gateway && sourceOf(sync.gateway) };
  return { dataFolder, stored: true, ...status, notices, ...services, counts, files, integrity, runs };
}

/** Leaves out where the address was configured, which is not stored with the data. */
function sourceOf({ address, demo }: NewsSource | GatewaySource): { address: string | null; demo: boolean } {
  return { address: demo ? null : address, demo };
}

async function filesOf(folder: string): Promise<StoredFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  // Another process may just have removed a file.
  const sizeOf = async (name: string) => (await stat(path.join(folder, name)).catch(() => null))?.size ?? 0;
  return Promise.all(names.sort().map(async (name) => ({ name, bytes: await sizeOf(name) })));
}

function pollingText({ pause, polling }: SyncStatus): Text[] {
  if (pause) return [fact('Polling', `paused ${pause.until ? `until ${localTime(pause.until)}` : 'until resumed'}`)];
  return polling === 'byHand' ? [fact('Polling', 'manual only')] : [];
}

function accountText({ dataFolder, sync, counts, files, health }: Account): Text[] {
  const { all, selected, starred } = counts;
  const told = new Set<string>();
  return [
    fact('Source', sourceText(sync.source)),
    fact('Models', sync.gateway ? sourceText(sync.gateway) : 'no model service set'),
    fact('Folder', dataFolder),
    fact(
      'Saved',
      `${countOf(all.total, 'item')}, ${formatCount('en', all.unread)} unread, ${formatCount('en', starred.total)} starred`,
    ),
    sync.selectedComplete
      ? fact('Picks', `${countOf(selected.total, 'item')}, ${formatCount('en', selected.unread)} unread`)
      : fact('Picks', 'not downloaded completely yet'),
    ...pollingText(sync),
    ...sync.resources.flatMap((resource) => resourceText(resource, health, told)),
    fact('Files', files.map(({ name, bytes }) => `${name} ${byteSize(bytes, 'en')}`).join(', ')),
    ...integrityText(health),
    ...sync.storageWarnings.map((warning) => fact('Warning', yellow(warningText(warning)))),
  ];
}

function sourceText({ address, demo }: NewsSource | GatewaySource): string {
  return demo ? 'the built-in demo service' : address;
}

function resourceText(resource: ResourceStatus, { runs }: SyncHealth, told: Set<string>): Text[] {
  const isDue = Date.parse(resource.nextDueAt ?? '') <= systemClock.now();
  const facts = [
    `last success ${localTime(resource.lastSuccessAt)}`,
    `last attempt ${localTime(resource.lastTryAt)}`,
    isDue ? 'due now' : `next due ${localTime(resource.nextDueAt)}`,
    `${formatCount('en', resource.rows)} saved`,
  ];
  const lines = [fact(wordOf(resource.name), facts.join(', '))];
  if (resource.error !== null) {
    const { message, code } = resource.error;
    const reason = told.has(message) ? code : `${message} (${code})`;
    told.add(message);
    lines.push(fact('', red(`failed ${countOf(resource.failures, 'time')} in a row: ${reason}`)));
  }
  if (resource.confirming !== null) {
    lines.push(fact('', yellow(confirmingText(resource.name, resource.confirming))));
  }
  const last = runs.find((run) => run.resource === resource.name);
  if (last) lines.push(fact('', `last run: ${runText(last)}`));
  if (last && last.skipped + last.reasons.length > 0) {
    const what = last.skipped > 0 ? `skipped ${countOf(last.skipped, 'record')}` : 'some fields could not be read';
    lines.push(fact('', `${what}: ${last.reasons.join('; ')}`));
  }
  return lines;
}

function runText({ status, requests, changes }: SyncHealth['runs'][number]): string {
  return `${status === 'notModified' ? 'nothing new' : status}, ${countOf(requests, 'request')}, ${countOf(changes, 'change')}`;
}

function integrityText({ integrity }: SyncHealth): Text[] {
  if (integrity === null) return [fact('Checked', 'never; check the databases with status --check')];
  const at = localTime(integrity.at);
  if (integrity.sound) return [fact('Checked', `${at}, no damage found`)];
  return [fact('Checked', red(`${at}, damaged`)), ...integrity.messages.map((message) => fact('', message))];
}

export function fact(name: string, value: Text): Text {
  return line`${dim(name.padEnd(10))} ${value}`;
}

export function confirmingText(name: ResourceName, confirming: Confirming): string {
  if (confirming.of === 'marked') {
    const { received, stored, since } = confirming;
    return `confirming: since ${localTime(since)}, there are ${received} of the ${stored} picks that the list of all items marks; they are downloaded again to check`;
  }
  const returned = `confirming: the service returned ${portionText(confirming)} since ${localTime(confirming.since)}`;
  return confirming.acceptable
    ? `${returned}; nothing changes until it returns the rest or you run \`broadsheet sync --accept ${wordOf(name)}\``
    : `${returned}; nothing is removed until it does so again`;
}

/** `3 of 12 models`: how much of what is saved a smaller answer has. */
export function portionText({ received, stored, of }: Confirming): string {
  const what = of === 'contextLengths' ? ' context lengths' : of === undefined ? '' : ` ${of}`;
  return `${received} of ${stored}${what}`;
}
