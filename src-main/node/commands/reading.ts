import { BroadsheetError } from '../../contract/errors.ts';
import type { Wire } from '../../contract/wire.ts';
import type { Invocation } from '../invocation.ts';
import { openReadingCore, type OpenCore } from '../open-core.ts';
import { EXIT, type ExitCode } from '../shell.ts';
import { dim, line, type StyledText, type Text } from '../styled-text.ts';
import { jsonLine } from '../terminal.ts';
import { hintNothingStored } from './hints.ts';

interface Reading<T, Record> {
  read: (wire: Wire) => Promise<T>;
  format: (record: Record) => Text;
  /** The value for JSON output; default: the record itself. */
  asJson?: (record: Record) => unknown;
}

/** Prints a short list, one record per line, or a message on stderr if it is empty. */
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
      await shell.out.line(json ? jsonLine(asJson(record)) : options.format(record));
    }
  } finally {
    await opened.close();
  }
  return EXIT.well;
}

/** Prints one record in full. Errors: `not_found`, also if nothing is saved yet. */
export async function writeOne<T>(
  invocation: Invocation,
  { read, format, asJson = (record) => record }: Reading<T, T>,
): Promise<ExitCode> {
  const opened = await openStored(invocation);
  try {
    const record = await read(opened.wire);
    await invocation.shell.out.line(invocation.json ? jsonLine(asJson(record)) : format(record));
  } finally {
    await opened.close();
  }
  return EXIT.well;
}

/** Errors: `not_found` if nothing is saved yet. */
export async function openStored(invocation: Invocation, options: { opensLinks?: boolean } = {}): Promise<OpenCore> {
  const opened = await openReadingCore(invocation, options);
  if (opened) return opened;
  throw new BroadsheetError('not_found', `Nothing saved yet in ${invocation.dataFolder}: run \`broadsheet sync\`.`);
}

/** Names and values in two columns, safe to print. Null values are skipped. */
export function factLines(facts: readonly [name: string, value: string | null][]): StyledText[] {
  return facts.flatMap(([name, value]) => (value === null ? [] : [line`${dim(name.padEnd(12))} ${value}`]));
}
