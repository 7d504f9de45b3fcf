import { DISK_FULL } from '../common/system-errors.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Log } from '../contract/ports.ts';
import type { Shell } from './shell.ts';
import { line, red, yellow } from './styled-text.ts';

const saidFull = new WeakSet<Shell>();

/** Reports a full disk once per command, because every write fails then. Returns true if it was reported now. */
export async function sayDiskFull(shell: Shell, prefix: string, message = DISK_FULL): Promise<boolean> {
  if (saidFull.has(shell)) return false;
  saidFull.add(shell);
  await shell.err.line(line`${red(prefix)} ${message}`);
  return true;
}

export function sayWarning(shell: Shell, text: string): Promise<void> {
  return shell.err.line(line`${yellow('broadsheet: warn:')} ${text}`);
}

/** Writes warnings and errors, or everything with BROADSHEET_DEBUG, to stderr, because stdout is for results only. */
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
