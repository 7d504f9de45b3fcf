import { BroadsheetError } from '../../contract/errors.ts';
import type { Wire } from '../../contract/wire.ts';
import type { Invocation } from '../invocation.ts';
import { openReadingCore, type OpenCore } from '../open-core.ts';
import { EXIT, type ExitCode } from '../shell.ts';
import { jsonLine, oneLine } from '../terminal.ts';
import { hintNothingStored } from './hints.ts';

interface Reading<T, Record> {
  read: (wire: Wire) => Promise<T>;
  words: (record: Record) => string;
  /** The record as JSON tells it, if not as it is. */
  asJson?: (record: Record) => unknown;
}

/** Records of a short list, one a line: as JSON or in words, with a remark on stderr where there are none. */
export async function writeList<T>(
  invocation: Invocation,
  options: { limit?: number; empty: string } & Reading<T[], T>,
): Promise<ExitCode> {
  const opened = await openReadingCore(invocation);
  if (!opened) {
    await hintNothingStored(invocation);
    return EXIT.well;
  }
  const { shell, json } = invocation;
  const { asJson = (record: T) => record } = options;
  try {
    const records = await options.read(opened.wire);
    if (records.length === 0) await shell.err.line(options.empty);
    for (const record of records.slice(0, options.limit)) {
      if (shell.out.closed) break;
      await shell.out.line(json ? jsonLine(asJson(record)) : options.words(record));
    }
  } finally {
    await opened.close();
  }
  return EXIT.well;
}

/** One record in full. Errors: `not_found`, also where nothing is stored at all. */
export async function writeOne<T>(
  invocation: Invocation,
  { read, words, asJson = (record) => record }: Reading<T, T>,
): Promise<ExitCode> {
  const opened = await openStored(invocation);
  try {
    const record = await read(opened.wire);
    await invocation.shell.out.line(invocation.json ? jsonLine(asJson(record)) : words(record));
  } finally {
    await opened.close();
  }
  return EXIT.well;
}

/** Errors: `not_found` where nothing is stored yet. */
export async function openStored(invocation: Invocation): Promise<OpenCore> {
  const opened = await openReadingCore(invocation);
  if (opened) return opened;
  throw new BroadsheetError('not_found', `Nothing stored yet in ${invocation.dataFolder}: run \`broadsheet sync\`.`);
}

/** Names and values in two columns, safe to print; what has no value is left out. */
export function factLines(facts: readonly [name: string, value: string | null][]): string[] {
  return facts.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(12)} ${oneLine(value)}`]));
}
