import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../contract/model/sync-status.ts';
import type { Clock, KeyStore, Log, LogLevel } from '../contract/ports.ts';

type Keys = Pick<KeyStore, 'get'>;

/** Created before anything else. Never throws. */
export class HostLog {
  readonly log: Log;
  #keys: Keys | null = null;

  constructor(...logs: Log[]) {
    this.log = catchErrors(
      redactLog(
        logToAll(...logs),
        redaction(() => keyIn(this.#keys)),
      ),
    );
  }

  hide(keys: Keys): void {
    this.#keys = keys;
  }
}

function keyIn(keys: Keys | null): string[] {
  const saved = keys?.get();
  return saved ? [saved.credential.key] : [];
}

interface LogFileOptions {
  folder: string;
  clock: Pick<Clock, 'now'>;
  mostBytes?: number;
}

const MEGABYTE = 1_000_000;
const OLDER = 2;
/** In UTF-16 units; the important part of a trace is at its start. */
const MAX_LINE = 16_000;
const LEVELS: readonly LogLevel[] = ['info', 'warn', 'error'];

/** Writes synchronously, so that the last lines before a crash are not lost. Drops lines that can't be written. */
export function openLogFile(options: LogFileOptions): Log {
  const file = new RotatingFile(logFolderOf(options.folder), options.mostBytes ?? MEGABYTE);
  return (level, message, fields = {}) => {
    if (!LEVELS.includes(level)) return;
    // JSON keeps foreign text from adding lines or terminal control sequences.
    const details = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
    const text = JSON.stringify(message).slice(1, -1);
    const line = `${new Date(options.clock.now()).toISOString()} ${level} ${text}${details.join('')}`;
    file.write(`${escapeControls(line).slice(0, MAX_LINE)}\n`);
  };
}

export function logFolderOf(dataFolder: string): string {
  return join(dataFolder, 'logs');
}

/** A failing log doesn't affect the others or the caller. */
export function logToAll(...logs: Log[]): Log {
  const safe = logs.map(catchErrors);
  return (...line) => {
    for (const log of safe) log(...line);
  };
}

function catchErrors(log: Log): Log {
  return (...line) => {
    try {
      log(...line);
    } catch {
      // There is nowhere to report this.
    }
  };
}

function escapeControls(line: string): string {
  return line.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

class RotatingFile {
  readonly #folder: string;
  readonly #mostBytes: number;
  #handle: number | null = null;
  #bytes = 0;

  constructor(folder: string, mostBytes: number) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
  }

  write(line: string): void {
    try {
      this.#open();
      if (this.#bytes > 0 && this.#bytes + Buffer.byteLength(line) > this.#mostBytes) this.#rotate();
      const handle = this.#open();
      // Not in one expression with `#open`, which sets the size: `+=` reads its left side first.
      this.#bytes += writeSync(handle, line);
    } catch {
      // The next line tries again.
      this.#close();
    }
  }

  #open(): number {
    if (this.#handle !== null) return this.#handle;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const handle = openSync(this.#name(0), 'a', 0o600);
    this.#handle = handle;
    this.#bytes = fstatSync(handle).size;
    return handle;
  }

  #rotate(): void {
    this.#close();
    try {
      rmSync(this.#name(OLDER), { force: true });
      for (let age = OLDER - 1; age >= 0; age -= 1) this.#age(age);
    } catch {
      // A program has a file open (Windows), or a folder is in its place. New lines are worth more than old ones.
      truncateSync(this.#name(0));
    }
  }

  #age(age: number): void {
    try {
      renameSync(this.#name(age), this.#name(age + 1));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  #close(): void {
    const handle = this.#handle;
    this.#handle = null;
    if (handle !== null) closeSync(handle);
  }

  #name(age: number): string {
    return join(this.#folder, age === 0 ? 'broadsheet.log' : `broadsheet.${age}.log`);
  }
}

export const REDACTED = '[removed]';

/** Shorter texts would match parts of almost every line. */
const MIN_SECRET = 6;

// Matched anywhere: in headers, addresses, JSON.
const SCHEMES = /\b(Bearer|Basic|Digest|Negotiate)\s+(?!\[)[^\s"',;]{6,}/gi;
const NAMED = new RegExp(
  [
    '((?:proxy-)?authorization|(?:set-)?cookie|api[-_]?key|access[-_]?token|secret|password|passwd)',
    '(["\']?\\s*[:=]\\s*["\']?)',
    '(?:(?:Bearer|Basic|Digest|Negotiate)\\s+)?[^\\s"\',;&]+',
  ].join(''),
  'gi',
);
const IN_ADDRESS = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]+@/gi;

type Redact = (text: string) => string;

/** Removes known `secrets`, as they are and URL-encoded, and what looks like one. */
export function redaction(secrets: () => readonly string[]): Redact {
  return (text) => {
    const known = secrets().filter((secret) => secret.length >= MIN_SECRET);
    const forms = known.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
    const clean = forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), text);
    return clean
      .replace(NAMED, `$1$2${REDACTED}`)
      .replace(SCHEMES, `$1 ${REDACTED}`)
      .replace(IN_ADDRESS, `$1${REDACTED}@`);
  };
}

export function redactLog(log: Log, redact: Redact): Log {
  return (level, message, fields) => {
    if (!fields) return log(level, redact(message));
    const clean = Object.entries(fields).map(
      ([name, value]) => [name, typeof value === 'string' ? redact(value) : value] as const,
    );
    log(level, redact(message), Object.fromEntries(clean));
  };
}

const MAX_PROBLEMS = 20;
const MAX_MESSAGE = 300;

/** Logs each unexpected error with its trace, and lists it once in data health until dismissed, without secrets. */
export class Problems {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #redact: Redact;
  #problems: Problem[] = [];
  #lastId = 0;

  constructor({ clock, log, keys }: { clock: Clock; log: Log; keys: Keys }) {
    this.#clock = clock;
    this.#log = log;
    this.#redact = redaction(() => keyIn(keys));
  }

  report(where: Problem['where'], message: string, trace: string): void {
    const clean = this.#redact(message);
    this.#log('error', 'Unexpected error', { where, message: clean, ...(trace && { trace: this.#redact(trace) }) });
    const line = clean.replace(/\s+/g, ' ').slice(0, MAX_MESSAGE);
    if (this.#problems.some((problem) => problem.where === where && problem.message === line)) return;
    this.#lastId += 1;
    const at = new Date(this.#clock.now()).toISOString();
    this.#problems = [{ id: this.#lastId, at, where, message: line }, ...this.#problems].slice(0, MAX_PROBLEMS);
  }

  list(): Problem[] {
    return this.#problems;
  }

  dismiss(): void {
    this.#problems = [];
  }
}
