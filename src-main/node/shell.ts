import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { DISK_FULL, mapSystemError } from '../common/system-errors.ts';
import { BroadsheetError, type ErrorCode } from '../contract/errors.ts';
import type { Log } from '../contract/ports.ts';
import { line, oneLine, red, severalLines, type Text, wordOf, yellow } from './terminal-text.ts';

export interface Browser {
  /** Errors: those of starting a browser. */
  open(place: string): Promise<void>;
  /** Removes a folder once a browser has read what is in it; this process may have ended by then. */
  removeLater(folder: string): void;
}

export interface Shell {
  environment: Readonly<Record<string, string | undefined>>;
  input: StreamInput;
  browser: Browser;
  out: Output;
  err: Output;
  /** For the threads of commands that fetch. Without it they fetch in this one, and a signal waits for its work. */
  engineModule: URL | undefined;
}

/** `busy`: another process has the data folder, so that trying later helps (EX_TEMPFAIL of sysexits.h). */
export const EXIT = { well: 0, failed: 1, usage: 2, stopped: 3, busy: 75 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An invalid command line or environment: exit code 2, with a hint to --help. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A problem of this computer, such as a port in use: exit code 1, with this message. */
export class MachineError extends Error {
  override readonly name = 'MachineError';
}

/** Describes a failure on one line. Messages of unexpected errors are hidden, because they may contain anything. */
export function describeFailure(thrown: unknown): string {
  const error = mapSystemError(thrown);
  if (error instanceof BroadsheetError || error instanceof MachineError) return oneLine(error.message);
  const { code } = error as NodeJS.ErrnoException;
  const kind = typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown';
  return `unexpected error (${oneLine(kind)}). Set BROADSHEET_DEBUG=1 for details`;
}

interface LineOptions {
  longest: number;
  /** Not echoed, from before the prompt on. */
  hidden?: boolean;
  prompt?: () => Promise<void>;
}

interface Terminal extends Readable {
  isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
}

export class StreamInput {
  readonly #stream: Terminal;

  constructor(stream: Terminal) {
    this.#stream = stream;
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  /**
   * Reads the first line, without its end and at most `longest` characters; null without one, or after Ctrl+C or
   * Ctrl+D. The process reads no second line.
   */
  async line({ longest, hidden = false, prompt }: LineOptions): Promise<string | null> {
    const raw = hidden && this.isTerminal;
    if (raw) this.#stream.setRawMode?.(true);
    try {
      await prompt?.();
      return await readLine(this.#stream.setEncoding('utf8'), longest, raw);
    } finally {
      if (raw) this.#stream.setRawMode?.(false);
      this.#stream.pause();
    }
  }
}

/** In raw mode the terminal passes on every key, such as Ctrl+C and backspace. */
async function readLine(stream: AsyncIterable<string>, longest: number, raw: boolean): Promise<string | null> {
  let line = '';
  for await (const chunk of stream) {
    for (const key of chunk) {
      if (key === '\n' || key === '\r') return line;
      if (raw && (key === '\u0003' || key === '\u0004')) return null;
      if (raw && (key === '\u007f' || key === '\b')) line = withoutLastCharacter(line);
      else if (line.length < longest) line += key;
    }
  }
  return line === '' ? null : line;
}

/** Removes one visible character: half of an emoji would change a hidden passphrase. */
function withoutLastCharacter(text: string): string {
  return text.slice(0, [...new Intl.Segmenter().segment(text)].at(-1)?.index ?? 0);
}

interface Screen extends Writable {
  isTTY?: boolean;
  columns?: number;
}

interface OutputOptions {
  isResult: boolean;
  hasColours?: boolean;
  isDumb?: boolean;
}

const CLEAR_LINE = '\r\u001b[K';

/** Await each line to limit memory use. `closed` is set when the reader has gone (`| head`), which is no error. */
export class Output {
  readonly #stream: Screen;
  readonly #hasColours: boolean;
  readonly #isDumb: boolean;
  #closed = false;
  #hasStatus = false;

  /** `isResult`: a failed write, for example on a full disk, makes the command fail. */
  constructor(stream: Screen, { isResult, hasColours = false, isDumb = false }: OutputOptions) {
    this.#stream = stream;
    this.#isDumb = isDumb;
    this.#hasColours = hasColours;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#closed = true;
      if (isResult && error.code !== 'EPIPE') throw error;
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  get isRewritable(): boolean {
    return this.isTerminal && !this.#isDumb;
  }

  /** Shows a line that the next one replaces, if {@link isRewritable}. */
  status(text: string): void {
    if (this.#closed || !this.isRewritable || (text === '' && !this.#hasStatus)) return;
    this.#hasStatus = text !== '';
    const { columns = 0 } = this.#stream;
    this.#stream.write(`${CLEAR_LINE}${oneLine(text).slice(0, (columns > 0 ? columns : 80) - 1)}`);
  }

  line(text: Text): Promise<void> {
    // Even if a command forgot it: an escape sequence of the service never reaches a terminal.
    const shown =
      typeof text === 'string' ? severalLines(text) : this.#hasColours ? text.withColours() : text.toString();
    return this.#write(`${shown}\n`);
  }

  /** Writes what an export is made of: unchanged, unless it is shown. */
  content(content: string | Uint8Array): Promise<void> {
    return this.#write(typeof content === 'string' && this.isTerminal ? severalLines(content) : content);
  }

  async #write(content: string | Uint8Array): Promise<void> {
    this.status('');
    if (this.#closed) return;
    // `once` rejects if the stream breaks; `closed` is set then.
    if (!this.#stream.write(content)) await once(this.#stream, 'drain').catch(() => undefined);
  }

  flush(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.write('', () => resolve());
    });
  }

  end(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.end(() => resolve());
    });
  }
}

/** Errors: `UsageError` without a terminal. */
export async function isAgreed({ input, err }: Shell, question: string): Promise<boolean> {
  if (!input.isTerminal) throw new UsageError('nobody can be asked here: add --yes to do it');
  const answer = await input.line({ longest: 10, prompt: () => err.line(`${question} [y/N]`) });
  if (/^y(?:es)?$/i.test(answer?.trim() ?? '')) return true;
  await err.line('Nothing was changed.');
  return false;
}

const printed = new WeakMap<Shell, Set<string>>();

/** For what makes many things fail: a full disk, a service that can't be reached. */
async function printOnce(shell: Shell, what: string, text: Text): Promise<void> {
  const before = printed.get(shell) ?? new Set();
  if (before.has(what)) return;
  printed.set(shell, before.add(what));
  await shell.err.line(text);
}

export function printDiskFull(shell: Shell, prefix: string, message = DISK_FULL): Promise<void> {
  return printOnce(shell, 'disk_full' satisfies ErrorCode, line`${red(prefix)} ${message}`);
}

/** `message` names the service. */
export function printUnreachable(shell: Shell, message: string): Promise<void> {
  return printOnce(shell, message, line`${yellow('broadsheet: warn:')} ${message}`);
}

export function printWarning(shell: Shell, text: string): Promise<void> {
  return shell.err.line(line`${yellow('broadsheet: warn:')} ${text}`);
}

/** For a person: a log file has the other fields, too. */
function sentenceOf(message: string, { resource, reason }: Readonly<Record<string, unknown>>): string {
  const parts = [typeof resource === 'string' && wordOf(resource), message, reason];
  return parts.filter((part) => typeof part === 'string' && part !== '').join(': ');
}

function detailsOf(fields: Readonly<Record<string, unknown>>): string {
  const details = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`);
  return details.length === 0 ? '' : ` (${details.join(', ')})`;
}

/** Writes warnings and errors to stderr, or everything with BROADSHEET_DEBUG. */
export function createStderrLog(shell: Shell): Log {
  const everything = Boolean(shell.environment['BROADSHEET_DEBUG']);
  return (level, message, fields = {}) => {
    if (!everything && (level === 'debug' || level === 'info')) return;
    if (!everything && fields['code'] === ('disk_full' satisfies ErrorCode)) {
      void printDiskFull(shell, 'broadsheet: error:');
      return;
    }
    if (!everything && fields['code'] === ('unreachable' satisfies ErrorCode)) {
      void printUnreachable(shell, message);
      return;
    }
    const mark = level === 'error' ? red : yellow;
    const text = everything ? message + detailsOf(fields) : sentenceOf(message, fields);
    void shell.err.line(line`${mark(`broadsheet: ${level}:`)} ${text}`);
  };
}
