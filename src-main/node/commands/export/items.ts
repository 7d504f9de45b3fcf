import { counted } from '../../../common/numbers.ts';
import type { ExportSource } from '../../../common/exported-file.ts';
import type { ItemExportFormat } from '../../../contract/model/export.ts';
import type { ItemsQuery } from '../../../contract/model/item.ts';
import type { Wire } from '../../../contract/wire.ts';
import { ownFolders, type Invocation } from '../../invocation.ts';
import { call } from '../../open-core.ts';
import { EXIT, type ExitCode } from '../../shell.ts';
import { onShutdownSignal } from '../../shutdown-signals.ts';
import { jsonLine } from '../../terminal.ts';
import { writeExport, type WrittenFile } from './file.ts';
import { openStored } from '../reading.ts';
import { searchNamed } from '../rules/rules.ts';
import { sayProblemsOf } from '../search/query-problems.ts';

export interface ItemExportOptions {
  query?: string;
  category?: string;
  /** The name of a saved search. */
  saved?: string;
  limit?: number;
  format: ItemExportFormat;
  out: string;
}

/** Writes a list of items to one file, newest first. Works while Broadsheet is running. */
export async function exportItems(invocation: Invocation, options: ItemExportOptions): Promise<ExitCode> {
  const opened = await openStored(invocation);
  const stop = new AbortController();
  onShutdownSignal(() => stop.abort(), { watchStdin: false });
  try {
    await sayProblemsOf(invocation.shell, options.query);
    const source = await sourceOf(opened.wire, options);
    const to = { out: options.out, ownFolders: ownFolders(invocation) };
    await printWritten(invocation, await writeExport(to, source, stop.signal), 'item');
  } finally {
    await opened.close();
  }
  return EXIT.well;
}

/** Says what was written, and what could not be. */
export async function printWritten(
  { shell, json }: Invocation,
  { file, count, left }: WrittenFile,
  noun: 'item' | 'report',
): Promise<void> {
  await shell.out.line(
    json ? jsonLine({ file, [`${noun}s`]: count, left }) : `${counted(count, noun)} written to ${file}`,
  );
  if (left === 0) return;
  const hint =
    noun === 'item'
      ? `${counted(left, 'withdrawn item')}, of which no text is left.`
      : `${counted(left, 'report')} that are not downloaded yet: run \`broadsheet sync --all\`.`;
  await shell.err.line(`Left out: ${hint}`);
}

async function sourceOf(
  wire: Wire,
  { query, category, saved, limit, format }: ItemExportOptions,
): Promise<ExportSource> {
  const chosen: ItemsQuery = {
    scope: 'all',
    window: 'any',
    state: 'any',
    ...(category !== undefined && { category }),
    ...(saved !== undefined && { saved: (await searchNamed(wire, saved)).id }),
    ...(query !== undefined && { text: query }),
  };
  return {
    frame: (updatedAt) =>
      call(wire, 'items.exportFrame', { query: chosen, format, ...(updatedAt !== null && { updatedAt }) }),
    part: (cursor, most) =>
      call(wire, 'items.export', { query: chosen, format, limit: most, ...(cursor !== null && { cursor }) }),
    ...(limit !== undefined && { limit }),
  };
}
