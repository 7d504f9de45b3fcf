import type { Writable } from 'node:stream';
import type { Log } from '../contract/ports.ts';

export function createLog(everything: boolean, stderr: Writable = process.stderr): Log {
  return (level, message, fields = {}) => {
    if (!everything && (level === 'debug' || level === 'info')) return;
    const details = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
    stderr.write(`${new Date().toISOString()} ${level} ${message}${details.join('')}\n`);
  };
}

/** Keeps failed writes (closed terminal or pipe, full disk) from raising errors whose logging would fail again. */
export function ignoreBrokenStreams(...streams: readonly Writable[]): void {
  for (const stream of streams) stream.on('error', () => undefined);
}
