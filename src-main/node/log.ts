import type { Log } from '../contract/ports.ts';
import type { Shell } from './shell.ts';
import { oneLine } from './terminal.ts';

/**
 * Writes warnings and errors to stderr, without stack traces; with BROADSHEET_DEBUG set, everything. stdout is for results
 * only.
 */
export function createStderrLog(shell: Shell): Log {
  const everything = Boolean(shell.environment['BROADSHEET_DEBUG']);
  return (level, message, fields = {}) => {
    if (!everything && (level === 'debug' || level === 'info')) return;
    const shown = Object.entries(fields).filter(([name]) => everything || name !== 'trace');
    const details = shown.map(([name, value]) => `${name}=${String(value)}`);
    const suffix = details.length === 0 ? '' : ` (${details.join(', ')})`;
    void shell.err.line(oneLine(`broadsheet: ${level}: ${message}${suffix}`));
  };
}
