import type { Writable } from 'node:stream';
import type { Log } from '../contract/ports.ts';

/** Writes warnings and errors to stderr; with `everything`, all levels. */
export function createLog(everything: boolean, stderr: Writable = process.stderr): Log {
  return (level, message, fields = {}) => {
    if (!everything && (level === 'debug' || level === 'info')) return;
    const details = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
    stderr.write(`${new Date().toISOString()} ${level} ${message}${details.join('')}\n`);
  };
}

/**
 * Ignores failed writes to stdout and stderr: the terminal was closed, the reader of a pipe has ended, or a disk is full.
 * Without a listener, Node turns each of them into an uncaught error, and logging that one would fail again, without end.
 */
export function ignoreBrokenStreams(...streams: readonly Writable[]): void {
  for (const stream of streams) stream.on('error', () => undefined);
}
