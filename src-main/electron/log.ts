import type { Log } from '../contract/ports.ts';

/** Writes warnings and errors to stderr; with `everything`, all levels. */
export function createLog(everything: boolean): Log {
  return (level, message, fields = {}) => {
    if (!everything && (level === 'debug' || level === 'info')) return;
    const details = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
    process.stderr.write(`${new Date().toISOString()} ${level} ${message}${details.join('')}\n`);
  };
}
