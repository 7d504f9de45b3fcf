import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Counts, NewsSource, ResourceStatus, SyncRun, SyncStatus } from '../../contract/model.ts';
import type { Wire } from '../../contract/wire.ts';
import type { Invocation } from '../invocation.ts';
import { ask, openReadingCore } from '../open_core.ts';
import { EXIT } from '../shell.ts';
import type { ExitCode } from '../shell.ts';
import { bytesInWords, counted, jsonLine, localTime, oneLine } from '../terminal.ts';
import { hintNothingStored } from './hints.ts';
import { outcomeInWords } from './outcome.ts';

interface StoredFile {
  name: string;
  bytes: number;
}

/** What is stored, how old it is and what comes next, without asking the service anything. */
export async function status(invocation: Invocation): Promise<ExitCode> {
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
    const runs = await latestRuns(opened.wire, sync);
    const files = await filesOf(dataFolder);
    const known: Known = { folder: dataFolder, sync, counts, runs, files };
    if (json)
      await shell.out.line(
        jsonLine({ dataFolder, stored: true, ...sync, source: sourceOf(sync), counts, runs, files }),
      );
    else for (const line of statusInWords(known)) await shell.out.line(oneLine(line));
  } finally {
    await opened.close();
  }
  return EXIT.well;
}

/** The latest run of each resource that ever ran. */
async function latestRuns(wire: Wire, { resources }: SyncStatus): Promise<SyncRun[]> {
  const answers = resources.map(({ name }) => ask(wire, 'sync.runs', { resource: name, limit: 1 }));
  return (await Promise.all(answers)).flatMap(({ runs }) => runs);
}

/** What is stored is known to be from an address, not who named it at that time. */
function sourceOf({ source: { address, demo } }: SyncStatus): { address: string | null; demo: boolean } {
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

interface Known {
  folder: string;
  sync: SyncStatus;
  counts: Counts;
  runs: SyncRun[];
  files: StoredFile[];
}

function statusInWords({ folder, sync, counts, runs, files }: Known): string[] {
  const { all, selected, starred } = counts;
  return [
    `Source     ${sourceInWords(sync.source)}`,
    `Folder     ${folder}`,
    `Stored     ${counted(all.total, 'item')}, ${all.unread} unread, ${starred.total} starred`,
    sync.selectedComplete
      ? `Selected   ${counted(selected.total, 'item')}, ${selected.unread} unread`
      : 'Selected   not fetched to its end yet',
    ...sync.resources.flatMap((resource) => resourceInWords(resource, runs)),
    `Files      ${files.map(({ name, bytes }) => `${name} ${bytesInWords(bytes)}`).join(', ')}`,
    ...sync.notices.map(
      ({ file, reason, setAsideAs }) =>
        `Notice     ${file}: ${reason}${setAsideAs === null ? '' : `; kept as ${setAsideAs}`}`,
    ),
  ];
}

function sourceInWords({ address, demo }: NewsSource): string {
  return demo ? 'the built-in demo service' : address;
}

function resourceInWords(resource: ResourceStatus, runs: SyncRun[]): string[] {
  const facts = [
    `last success ${localTime(resource.lastSuccessAt)}`,
    `last try ${localTime(resource.lastTryAt)}`,
    `next due ${localTime(resource.nextDueAt)}`,
  ];
  const lines = [`${resource.name.padEnd(10)} ${facts.join(', ')}`];
  const run = runs.find(({ resource: name }) => name === resource.name);
  if (run) lines.push(`           last run: ${outcomeInWords(run)}`);
  lines.push(...(run?.skippedReasons ?? []).map((reason) => `           left out: ${reason}`));
  if (resource.error !== null) {
    lines.push(
      `           failed ${counted(resource.failures, 'time')} in a row: ${resource.error.message} (${resource.error.code})`,
    );
  }
  return lines;
}
