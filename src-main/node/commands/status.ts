import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { byteSize, counted, formatCount } from '../../common/numbers.ts';
import type { Counts } from '../../contract/model/item.ts';
import type { GatewaySource } from '../../contract/model/model.ts';
import type { NewsSource, ResourceStatus, SyncHealth, SyncStatus } from '../../contract/model/sync-status.ts';
import { flag, ownCommand, type Call } from '../command.ts';
import { print } from '../run-command.ts';
import { EXIT } from '../shell.ts';
import { red, yellow, type Text } from '../styled-text.ts';
import { jsonLine, localTime } from '../terminal.ts';
import { warningText } from '../warning-text.ts';
import { statusAsJson } from './json-names.ts';
import { confirmingText, fact } from './outcome.ts';

export const STATUS_COMMANDS = {
  // Exit code 1 if a database is damaged.
  status: ownCommand({
    about: 'show what is saved, how old it is and when the next sync is due',
    options: { check: flag('also check the databases for damage') },
    run: async ({ check }, invocation) => {
      const { shell, json, dataFolder } = invocation;
      const { call, nothingSaved, openReadingCore } = await import('../open-core.ts');
      const opened = await openReadingCore(invocation, { current: true });
      if (!opened) {
        if (json) await shell.out.line(jsonLine({ dataFolder, stored: false }));
        await shell.err.line(nothingSaved(invocation));
        return EXIT.well;
      }
      const ask: Call = (method, args) => call(opened.wire, method, args);
      const account = await accountOf(dataFolder, ask, check).finally(opened.close);
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
  const services = { source: sourceOf(sync.source), gateway: sync.gateway && sourceOf(sync.gateway) };
  return { dataFolder, stored: true, ...statusAsJson(sync), ...services, counts, files, integrity, runs };
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

function pollingText({ pause, polling }: SyncStatus): Text[] {
  if (pause) return [fact('Polling', `paused ${pause.until ? `until ${localTime(pause.until)}` : 'until resumed'}`)];
  if (polling === 'usual') return [];
  return [fact('Polling', polling === 'byHand' ? 'manual only' : 'a quarter as often as usual')];
}

function accountText({ dataFolder, sync, counts, files, health }: Account): Text[] {
  const { all, selected, starred } = counts;
  return [
    fact('Source', sourceText(sync.source)),
    fact('Models', sync.gateway ? sourceText(sync.gateway) : 'no model service set'),
    fact('Folder', dataFolder),
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
