import path from 'node:path';
import { countOf } from '../../common/numbers.ts';
import {
  MOST_FILES_IN_PART,
  MOST_REPORTS_IN_BOOK,
  MOST_REPORTS_IN_PART,
  type ItemExportFormat,
  type VaultFile,
} from '../../contract/model/export.ts';
import type { ItemsPage } from '../../contract/model/item.ts';
import type { NoteKey } from '../../contract/model/note.ts';
import { REPORT_RESOURCE, type ReportKind } from '../../contract/model/report.ts';
import type { Call } from '../../contract/wire.ts';
import { ownFolders, type Invocation } from '../invocation.ts';
import { openStored } from '../open-core.ts';
import { Progress } from '../progress.ts';
import { OPENING, print } from '../run-command.ts';
import { EXIT, MachineError, UsageError, type ExitCode } from '../shell.ts';
import { onShutdownSignal } from '../shutdown-signals.ts';
import {
  makeFolder,
  openStream,
  writeChanged,
  writeExport,
  writeStream,
  writeWhole,
  type CountedSource,
  type Destination,
  type Place,
  type WrittenFile,
} from './files.ts';
import { itemsQuery, namesOf } from './items.ts';
import { labelOf } from './reports.ts';
import { printQueryProblems } from './search.ts';

interface ItemExport {
  query?: string;
  category?: string;
  saved?: string;
  limit?: number;
  format: ItemExportFormat;
  out: string;
  quiet?: boolean;
}

interface ReportExport {
  kind: ReportKind;
  /** Undefined for all reports, or for those of `month`. */
  key: string | undefined;
  /** YYYY-MM. */
  month?: string;
  out: string;
  quiet?: boolean;
}

export function exportItems(invocation: Invocation, options: ItemExport): Promise<ExitCode> {
  return runExport(invocation, options, async (call, to, progress) => {
    const { shell } = invocation;
    await printQueryProblems({ call, hint: (text) => shell.err.line(text) }, options.query);
    const source = await itemsOf(call, options, progress);
    const written = await writeExport(to, source);
    const { count, left } = written;
    await printWritten(invocation, written, { items: count, left }, countOf(count, 'item'), progress);
    if (left > 0) await shell.err.line(`Left out: ${countOf(left, 'withdrawn item')}, of which no text is left.`);
    return EXIT.well;
  });
}

async function itemsOf(
  call: Call,
  { limit = Infinity, format, ...filters }: ItemExport,
  progress: Progress,
): Promise<CountedSource> {
  const query = await itemsQuery(call, 'all', filters);
  const { count } = progress.isDrawn ? await call('items.count', { query }) : { count: Infinity };
  const total = Math.min(count, limit);
  return {
    onPart: (done) => progress.show('Exporting items', done, Number.isFinite(total) ? total : null),
    frame: (updatedAt) => call('items.exportFrame', { query, format, ...(updatedAt !== null && { updatedAt }) }),
    part: (cursor, most) => call('items.export', { query, format, limit: most, ...(cursor !== null && { cursor }) }),
    limit,
  };
}

/** Skips unchanged files, so that an export can resume. Exits with 1 if interrupted or a report isn't downloaded. */
export function exportReports(
  invocation: Invocation,
  options: ReportExport & { format: 'md' | 'html' | 'json' },
): Promise<ExitCode> {
  return runExport(invocation, options, async (call, to, progress) => {
    const { shell, json } = invocation;
    const { kind, format, out } = options;
    const { stop } = to;
    const { labels, missing } = await chosenReports(call, options);
    const own = ownFolders(invocation);
    const [only] = options.key === undefined ? [] : labels;
    if (only === undefined && out === '-') throw new UsageError('Several files need a folder: give one report.');
    const stream = only === undefined ? null : await openStream(to);
    if (stream && only !== undefined) {
      const { text } = await call('reports.render', { kind, label: only, format });
      const place = await writeStream(to, stream, () => stream.content(text));
      await printWritten(invocation, place, { reports: 1 }, countOf(1, 'report'), progress);
      return EXIT.well;
    }
    await makeFolder(out, own);
    let [written, unchanged] = [0, 0];
    for (const [index, label] of labels.entries()) {
      if (stop.aborted) break;
      const { name, text } = await call('reports.render', { kind, label, format });
      const changed = await writeChanged(path.join(out, name), text, own);
      if (changed) written += 1;
      else unchanged += 1;
      if (progress.isDrawn) progress.show('Exporting reports', index + 1, labels.length);
      else if (!progress.isQuiet) {
        await shell.err.line(`${index + 1}/${labels.length} ${name}${changed ? '' : ' (unchanged)'}`);
      }
    }
    progress.end();
    const { aborted: stopped } = stop;
    const folder = path.resolve(out);
    const summary = { folder, written, unchanged, missing, stopped };
    const text = `${countOf(written, 'file')} written, ${unchanged} unchanged, in ${folder}`;
    if (!progress.isQuiet || json) await print(invocation, summary, text);
    if (stopped && !json) await shell.err.line('Interrupted. Run the same command again to continue.');
    if (missing > 0 && !json) {
      await shell.err.line(
        `${missing} listed ${REPORT_RESOURCE[kind]} have not been downloaded yet: run \`broadsheet sync --all\`.`,
      );
    }
    return stopped || missing > 0 ? EXIT.failed : EXIT.well;
  });
}

/** Files that a person changed are left alone, and named. */
export function exportVault(invocation: Invocation, options: { out: string; quiet?: boolean }): Promise<ExitCode> {
  return runExport(invocation, options, async (call, { out, ownFolders: own, stop }, progress) => {
    const { shell, json } = invocation;
    const { openVault } = await import('./vault-folder.ts');
    const keys = await vaultKeys(call);
    const vault = await openVault(out, own);
    let [written, unchanged] = [0, 0];
    const changed: string[] = [];
    for await (const file of vaultFiles(call, keys)) {
      if (stop.aborted) break;
      const { name, outcome } = await vault.write(file);
      if (outcome === 'changed') changed.push(name);
      else if (outcome === 'written') written += 1;
      else unchanged += 1;
      progress.show('Exporting', written + unchanged + changed.length, keys.length);
    }
    progress.end();
    const { folder } = vault;
    const { aborted: stopped } = stop;
    const others = stopped ? 0 : vault.countOthers();
    const left = stopped ? 0 : keys.length - written - unchanged - changed.length;
    const text = `${countOf(written, 'file')} written, ${unchanged} unchanged, in ${folder}`;
    if (!progress.isQuiet || json) {
      await print(invocation, { folder, written, unchanged, changed, others, left, stopped }, text);
    }
    if (!progress.isQuiet && !json) {
      if (changed.length > 0) await shell.err.line(`Changed by you, left as they are: ${namesOf(changed)}.`);
      if (others > 0) await shell.err.line(`Without a star or note now, left as they are: ${countOf(others, 'file')}.`);
      if (left > 0) await shell.err.line(`Left out: ${countOf(left, 'withdrawn item')}, of which no text is left.`);
    }
    if (stopped && !json) await shell.err.line('Interrupted. Run the same command again to continue.');
    return stopped ? EXIT.failed : EXIT.well;
  });
}

async function* vaultFiles(call: Call, keys: readonly NoteKey[]): AsyncGenerator<VaultFile> {
  for (let start = 0; start < keys.length; start += MOST_FILES_IN_PART) {
    yield* (await call('vault.files', { keys: keys.slice(start, start + MOST_FILES_IN_PART) })).files;
  }
}

async function vaultKeys(call: Call): Promise<NoteKey[]> {
  const query = await itemsQuery(call, 'all', { starred: true });
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: ItemsPage = await call('items.page', { query, limit: 500, ...(cursor !== null && { cursor }) });
    ids.push(...page.rows.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== null);
  const starred = new Set(ids);
  const { keys } = await call('notes.keys', {});
  const others = keys.filter(({ kind, id }) => kind !== 'item' || !starred.has(id));
  return [...[...starred].map((id) => ({ kind: 'item' as const, id })), ...others];
}

/** Exits with 1 if a listed report has not been downloaded. */
export function exportJoined(
  invocation: Invocation,
  options: ReportExport & { format: 'atom' | 'epub' },
): Promise<ExitCode> {
  return runExport(invocation, options, async (call, to, progress) => {
    const { kind, month, format } = options;
    const { labels, missing } = await chosenReports(call, options);
    if (labels.length === 0) {
      const names = REPORT_RESOURCE[kind];
      const of = month === undefined ? '' : ` of ${month}`;
      throw new MachineError(`No ${names}${of} are saved: see \`broadsheet list ${names}\`.`);
    }
    const written =
      format === 'epub'
        ? await writeBook(call, options, labels, to)
        : await writeFeed(call, options, labels, to, progress);
    const { count } = written;
    const counts = { reports: count, left: missing };
    await printWritten(invocation, written, counts, countOf(count, 'report'), progress);
    if (missing === 0) return EXIT.well;
    const left = `${countOf(missing, 'report')} that are not downloaded yet: run \`broadsheet sync --all\`.`;
    await invocation.shell.err.line(`Left out: ${left}`);
    return EXIT.failed;
  });
}

async function runExport(
  invocation: Invocation,
  { out, quiet }: { out: string; quiet?: boolean },
  work: (call: Call, to: Destination, progress: Progress) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { out: stdout } = invocation.shell;
  const progress = new Progress(invocation.shell, quiet, quiet ?? (out === '-' && stdout.isTerminal));
  progress.show(OPENING);
  const { within } = invocation;
  const to = { out, ownFolders: ownFolders(invocation), stdout, stop: within?.stop ?? stopAtSignal() };
  try {
    if (within) return await work(within.call, to, progress);
    const { call, close } = await openStored(invocation);
    progress.show('Exporting');
    return await work(call, to, progress).finally(close);
  } finally {
    progress.end();
  }
}

export function stopAtSignal(): AbortSignal {
  const stop = new AbortController();
  onShutdownSignal(() => stop.abort(), { watchStdin: false });
  return stop.signal;
}

async function chosenReports(
  call: Call,
  { kind, key, month }: ReportExport,
): Promise<{ labels: string[]; missing: number }> {
  if (key !== undefined) return { labels: [await labelOf(call, kind, key)], missing: 0 };
  const { lines } = await call('reports.index', { kind });
  const wanted = lines.filter(({ label }) => month === undefined || label.startsWith(`${month}-`));
  return {
    labels: wanted.filter(({ stored }) => stored).map(({ label }) => label),
    missing: wanted.filter(({ stored, goneAt }) => !stored && goneAt === null).length,
  };
}

async function writeFeed(
  call: Call,
  { kind, month }: ReportExport,
  labels: string[],
  to: Destination,
  progress: Progress,
): Promise<WrittenFile> {
  const of = { kind, ...(month !== undefined && { month }) };
  return writeExport(to, {
    onPart: (done) => progress.show('Exporting reports', done, labels.length),
    frame: (updatedAt) => call('reports.feedFrame', { ...of, ...(updatedAt !== null && { updatedAt }) }),
    part: async (cursor) => {
      const start = Number(cursor ?? 0);
      const end = start + MOST_REPORTS_IN_PART;
      const part = await call('reports.feed', { kind, labels: labels.slice(start, end) });
      return { ...part, next: end < labels.length ? String(end) : null };
    },
  });
}

async function writeBook(
  call: Call,
  { kind, month }: ReportExport,
  labels: string[],
  to: Destination,
): Promise<Place & { count: number }> {
  if (labels.length > MOST_REPORTS_IN_BOOK) {
    const hint = kind === 'daily' ? 'Give a month: --month YYYY-MM.' : 'Give one report.';
    throw new UsageError(
      `An e-book has at most ${MOST_REPORTS_IN_BOOK} reports, and ${labels.length} ${REPORT_RESOURCE[kind]} are saved. ${hint}`,
    );
  }
  const book = await call('reports.book', { kind, labels, ...(month !== undefined && { month }) });
  const place = await writeWhole(to, book.name, Buffer.from(book.base64, 'base64'));
  return { ...place, count: labels.length };
}

async function printWritten(
  invocation: Invocation,
  place: Place,
  counts: object,
  what: string,
  progress: Progress,
): Promise<void> {
  progress.end();
  const { file, streamed, isCut = false } = place;
  if (isCut || (progress.isQuiet && !invocation.json)) return;
  const { out, err } = invocation.shell;
  const text = `${what} written to ${file === '-' ? 'standard output' : file}`;
  await print(invocation, { file, ...counts }, text, streamed ? err : out);
}
