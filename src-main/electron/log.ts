import type { Log } from '../contract/ports.ts';

/** Warnings and errors as lines on stderr; everything, where it is asked for. */
export function createLog(everything: boolean): Log {
  return (level, message, fields = {}) => {
    if (!everything && (level === 'debug' || level === 'info')) return;
    const details = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
    process.stderr.write(`${new Date().toISOString()} ${level} ${message}${details.join('')}\n`);
  };
}
