import { DISK_FULL } from '../common/system-errors.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Log } from '../contract/ports.ts';
import type { Shell } from './shell.ts';
import { line, red, yellow } from './styled-text.ts';

/** The commands that have said that the disk is full. */
const saidFull = new WeakSet<Shell>();

/**
 * Says that the disk is full, once per command: everything that is written fails for this reason then. Returns whether
 * it is said now.
 */
export async function sayDiskFull(shell: Shell, prefix: string, message = DISK_FULL): Promise<boolean> {
  if (saidFull.has(shell)) return false;
  saidFull.add(shell);
  await shell.err.line(line`${red(prefix)} ${message}`);
  return true;
}

/** Says what a reader should know about the files of the data folder. */
export function sayWarning(shell: Shell, text: string): Promise<void> {
  return shell.err.line(line`${yellow('broadsheet: warn:')} ${text}`);
}

/**
 * Writes warnings and errors to stderr, without stack traces; with BROADSHEET_DEBUG set, everything. stdout is for results
 * only.
 */
export function createStderrLog(shell: Shell): Log {
  const everything = Boolean(shell.environment['BROADSHEET_DEBUG']);
  return (level, message, fields = {}) => {
    if (!everything && (level === 'debug' || level === 'info')) return;
    if (!everything && fields['code'] === ('disk_full' satisfies ErrorCode)) {
      void sayDiskFull(shell, 'broadsheet: error:');
      return;
    }
    const shown = Object.entries(fields).filter(([name]) => everything || name !== 'trace');
    const details = shown.map(([name, value]) => `${name}=${String(value)}`);
    const suffix = details.length === 0 ? '' : ` (${details.join(', ')})`;
    const mark = level === 'error' ? red : yellow;
    void shell.err.line(line`${mark(`broadsheet: ${level}:`)} ${message}${suffix}`);
  };
}
