import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { nameKey } from '../common/text.ts';
import { BroadsheetError } from '../contract/errors.ts';
import type { EventName } from '../contract/events.ts';
import type { Log } from '../contract/ports.ts';
import type { Wire } from '../contract/wire.ts';
import { writeAtomically } from '../core/files/atomic-write.ts';
import { choiceOf } from './command.ts';
import { chooseRow, parseWords, type Given } from './command-parser.ts';
import { EXPORT, EXPORT_COMMANDS } from './commands/export.ts';
import { readText } from './commands/files.ts';
import type { Invocation } from './invocation.ts';
import { retryWhileInUse } from './retry-while-in-use.ts';
import { describeFailure, MachineError, Output, UsageError } from './shell.ts';

/** In the data folder, and on this device only: paths are those of one computer. */
const NAME = 'exports.json';
const LARGEST_FILE = 1024 * 1024;
const MAX_EXPORTS = 20;
const LOCK = 'exports-lock.db';
/** In ms: a few large exports take that long. */
const PATIENCE = 60_000;

/** `words` are the arguments of `export`, with an absolute path. */
export interface StandingExport {
  name: string;
  words: string[];
}

export interface ExportOutcome {
  name: string;
  /** Null if it was written. */
  error: string | null;
}

type Within = NonNullable<Invocation['within']>;

const ROWS = Object.entries(EXPORT_COMMANDS).map(([path, row]) => [path.slice('export '.length), row] as const);
const TREE = choiceOf('export', EXPORT, Object.fromEntries(ROWS));

/** Errors: `MachineError` for a file that can't be read. */
export async function standingExports({ dataFolder }: Invocation): Promise<StandingExport[]> {
  const file = join(dataFolder, NAME);
  if (!existsSync(file)) return [];
  try {
    const { exports } = JSON.parse(await readText(file, LARGEST_FILE)) as { exports?: unknown };
    if (Array.isArray(exports) && exports.every(isStanding)) return exports.slice(0, MAX_EXPORTS);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new MachineError(`${file} is not a list of exports. Correct it, or delete it and add them again.`);
}

function isStanding(value: unknown): value is StandingExport {
  const { name, words } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof name === 'string' && Array.isArray(words) && words.every((word) => typeof word === 'string');
}

/** Runs it first: what doesn't work now is not added. Errors: `UsageError`, those of the export. */
export async function addExport(
  invocation: Invocation,
  within: Within,
  name: string,
  words: readonly string[],
): Promise<StandingExport> {
  const known = await standingExports(invocation);
  if (known.some((one) => nameKey(one.name) === nameKey(name))) throw new UsageError(`there is an export '${name}'`);
  if (known.length >= MAX_EXPORTS)
    throw new MachineError(`There are ${MAX_EXPORTS} exports. Remove one of them first.`);
  const { what, key, out, ...options } = parseWords(TREE, words);
  if (out === '-') throw new UsageError('A standing export needs a file or folder.');
  const absolute: Given = { ...options, out: resolve(String(out)) };
  const switches = Object.entries(absolute).map(([option, value]) =>
    value === true ? `--${option}` : `--${option}=${String(value)}`,
  );
  const added = {
    name,
    words: [what, key]
      .filter((word) => word !== undefined)
      .map(String)
      .concat(switches),
  };
  await alone(invocation, within, () => runOne(invocation, within, added));
  if (within.stop.aborted) throw new MachineError('Interrupted. Nothing was added.');
  await save(invocation, [...known, added]);
  return added;
}

/** Errors: `MachineError` if there is none of this name. */
export async function removeExport(invocation: Invocation, name: string): Promise<void> {
  const known = await standingExports(invocation);
  const { name: removed } = find(known, name);
  await save(
    invocation,
    known.filter((one) => one.name !== removed),
  );
}

function find(known: readonly StandingExport[], name: string): StandingExport {
  const found = known.find((one) => nameKey(one.name) === nameKey(name));
  if (found) return found;
  throw new MachineError(`There is no export '${name}': see \`broadsheet exports list\`.`);
}

async function save({ dataFolder }: Invocation, exports: readonly StandingExport[]): Promise<void> {
  await writeAtomically(join(dataFolder, NAME), `${JSON.stringify({ exports }, null, 2)}\n`);
}

/** One after the other: a failure stops only its own export. Errors: those of the list, and `data_in_use`. */
export async function runExports(invocation: Invocation, within: Within, name?: string): Promise<ExportOutcome[]> {
  const known = await standingExports(invocation);
  const chosen = name === undefined ? known : [find(known, name)];
  const outcomes: ExportOutcome[] = [];
  if (chosen.length === 0) return outcomes;
  await alone(invocation, within, async () => {
    for (const one of chosen) {
      if (within.stop.aborted) break;
      const error = await runOne(invocation, within, one).then(() => null, describeFailure);
      outcomes.push({ name: one.name, error });
    }
  });
  return outcomes;
}

/** While no other process writes standing exports. Errors: `data_in_use`. */
async function alone({ dataFolder }: Invocation, { stop }: Within, work: () => Promise<void>): Promise<void> {
  const { lockDataFolder } = await import('../core/core.ts');
  const lock = async () => (stop.aborted ? null : lockDataFolder(dataFolder, LOCK));
  const locked = await retryWhileInUse(lock, PATIENCE).catch((cause: unknown) => {
    if (!(cause instanceof BroadsheetError) || cause.code !== 'data_in_use') throw cause;
    const message = 'Another command is still writing the standing exports. Try again when it has ended.';
    throw new BroadsheetError('data_in_use', message, { retryable: true, cause });
  });
  await work().finally(() => locked?.release());
}

/** Never rejects: a sync has not failed because of its exports. */
export async function failedExports(invocation: Invocation, within: Within): Promise<ExportOutcome[]> {
  const outcomes = await runExports(invocation, within).catch((error: unknown) => [
    { name: NAME, error: describeFailure(error) },
  ]);
  return outcomes.filter(({ error }) => error !== null);
}

async function runOne(invocation: Invocation, within: Within, { words }: StandingExport): Promise<void> {
  const [command, given] = chooseRow(TREE, parseWords(TREE, words));
  if (command.needs !== 'own') throw new UsageError('it is no export');
  command.check?.(given);
  const out = String(given['out']);
  // It would wait for a reader.
  if ((await stat(out).catch(() => null))?.isFIFO()) throw new MachineError(`${out} is a pipe, not a file.`);
  const shell = { ...invocation.shell, out: SILENT, err: SILENT };
  await command.run({ ...given, quiet: true }, { ...invocation, shell, json: false, within });
}

const SILENT = new Output(new Writable({ write: (_chunk, _encoding, done) => done() }), { isResult: false });

/** Anything that exports consist of. */
const CHANGES: readonly EventName[] = [
  ...(['data.replaced', 'items.changed', 'marks.changed'] as const),
  ...(['notes.changed', 'reports.changed', 'rules.changed'] as const),
];

/** Returns a function that tells if something has changed since its last call. */
export function watchChanges(wire: Pick<Wire, 'on'>): () => boolean {
  let hasChanged = false;
  for (const name of CHANGES) wire.on(name, () => (hasChanged = true));
  return () => {
    const changed = hasChanged;
    hasChanged = false;
    return changed;
  };
}

/** In ms: between two resources of a sync, none runs for a moment. */
export const QUIET_FOR = 1_000;

/** Returns the function that ends it. */
export function runAfterSyncs(
  invocation: Invocation,
  { wire, call, log }: { wire: Pick<Wire, 'on'>; call: Within['call']; log: Log },
): () => void {
  const stop = new AbortController();
  const inTurn = pLimit(1);
  const takeChanged = watchChanges(wire);
  let timer: NodeJS.Timeout | undefined;
  let wasRunning = false;
  const run = async (): Promise<void> => {
    if (stop.signal.aborted || !takeChanged()) return;
    const failed = await failedExports(invocation, { call, stop: stop.signal });
    for (const { name, error } of failed) log('warn', `Export ${name} failed`, { name, reason: error });
    // Syncs may follow one another closely, and other commands wait for the lock.
    await wait(QUIET_FOR, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
  };
  wire.on('sync.changed', ({ resources }) => {
    const isRunning = resources.some(({ running }) => running);
    if (isRunning) clearTimeout(timer);
    else if (wasRunning) timer = setTimeout(() => void inTurn(run), QUIET_FOR).unref();
    wasRunning = isRunning;
  });
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}
