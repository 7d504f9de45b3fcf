import type { Io, PrintingCommand } from './command.ts';
import type { Invocation } from './invocation.ts';
import type { Writer } from './open-to-write.ts';
import { Progress } from './progress.ts';
import { EXIT, type ExitCode } from './shell.ts';
import { onShutdownSignal } from './shutdown-signals.ts';
import { type Text, jsonLine } from './terminal-text.ts';

export const OPENING = 'Opening the data folder';

/** Prints a list while it is read, a record once the core is closed, so that the next command can run. */
export async function runCommand(
  command: PrintingCommand,
  given: Readonly<Record<string, unknown>>,
  invocation: Invocation,
): Promise<ExitCode> {
  const { shell } = invocation;
  const isList = 'empty' in command;
  const progress = new Progress(shell, given['quiet'] === true);
  if (command.needs === 'fetches') progress.show(OPENING);
  const prepared = await command.prepare?.(given);
  const opened = await openFor(command, invocation);
  if (!opened) {
    const { nothingSaved } = await import('./open-core.ts');
    if (isList && !command.unsaved) await shell.err.line(nothingSaved(invocation).message);
    else if (isList || command.unsaved === undefined) throw nothingSaved(invocation);
    else await print(invocation, command.unsaved, await command.text(command.unsaved));
    return EXIT.well;
  }
  const failures: (Text | undefined)[] = [];
  const io: Io = {
    call: opened.call,
    on: (event, listener) => opened.wire.on(event, listener),
    invocation,
    hint: (text) => shell.err.line(text),
    fail: (text) => failures.push(text),
  };
  const printed: Text[] = [];
  if (command.needs === 'fetches') progress.follow(opened.wire);
  try {
    if (isList) await printList(command, command.run(given, io, prepared), io, failures);
    else {
      const record = await command.run(given, io, prepared);
      if (record !== undefined) printed.push(...(await textsOf(command, record, io)));
    }
  } finally {
    await opened.close();
    progress.end();
  }
  for (const text of progress.isQuiet && !invocation.json ? [] : printed) await shell.out.line(text);
  for (const text of failures) if (text !== undefined) await shell.err.line(text);
  return failures.length > 0 ? EXIT.failed : EXIT.well;
}

export async function print(
  { shell, json }: Invocation,
  record: unknown,
  text: Text | readonly Text[],
  to = shell.out,
): Promise<void> {
  for (const one of json ? [jsonLine(record)] : listOf(text)) await to.line(one);
}

async function openFor({ needs }: PrintingCommand, invocation: Invocation): Promise<Writer | undefined> {
  if (needs === 'reads') return (await import('./open-core.ts')).openReadingCore(invocation);
  const { openToWrite } = await import('./open-to-write.ts');
  if (needs === 'writes') return openToWrite(invocation, { fetches: false });
  const opened = await openToWrite(invocation, { fetches: true, engineModule: invocation.shell.engineModule });
  // Closing cancels the download.
  onShutdownSignal(() => void opened.close(), { watchStdin: false });
  return opened;
}

async function printList(
  command: Extract<PrintingCommand, { empty: string }>,
  records: AsyncIterable<unknown>,
  io: Io,
  failures: readonly unknown[],
): Promise<void> {
  const { out, err } = io.invocation.shell;
  let isEmpty = true;
  for await (const record of records) {
    isEmpty = false;
    for (const text of await textsOf(command, record, io)) await out.line(text);
    if (out.closed) return;
  }
  if (isEmpty && failures.length === 0) await err.line(command.empty);
}

async function textsOf(command: PrintingCommand, record: unknown, io: Io): Promise<readonly Text[]> {
  if (!io.invocation.json) return listOf(await command.text(record));
  const value = command.json ? await command.json(record, io) : record;
  return value === undefined ? [] : [jsonLine(value)];
}

function listOf(text: Text | readonly Text[]): readonly Text[] {
  return typeof text === 'object' && Symbol.iterator in text ? text : [text];
}
