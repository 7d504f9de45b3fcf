import type { Log } from '../contract/ports.ts';
import type { Shell } from './shell.ts';
import { oneLine } from './terminal.ts';

/** Warnings and errors as short lines on stderr; with BROADSHEET_DEBUG set, everything. stdout stays the command's own. */
export function createStderrLog(shell: Shell): Log {
  const everything = Boolean(shell.environment['BROADSHEET_DEBUG']);
  return (level, message, fields = {}) => {
    if (!everything && (level === 'debug' || level === 'info')) return;
    const details = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`);
    const suffix = details.length === 0 ? '' : ` (${details.join(', ')})`;
    void shell.err.line(oneLine(`broadsheet: ${level}: ${message}${suffix}`));
  };
}
