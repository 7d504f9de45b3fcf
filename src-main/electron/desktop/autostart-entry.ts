import { isAbsolute } from 'node:path';

/** Marks entries created by Broadsheet; others are not modified. */
const OWN = 'X-Broadsheet-Autostart=true';

/**
 * A desktop entry for the `autostart` folder (Desktop Application Autostart Specification). Errors: a RangeError for an
 * invalid path.
 */
export function autostartEntry(executable: string, args: readonly string[]): string {
  const exec = [...(isNameable(executable) ? [] : SHELL), executable, ...args].map(quoted).join(' ');
  if (!isAbsolute(executable) || /\p{Cc}/u.test(exec)) {
    throw new RangeError('A program started at login needs an absolute path without control characters.');
  }
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Broadsheet',
    `Exec=${exec}`,
    'Icon=broadsheet',
    'Terminal=false',
    'StartupNotify=false',
    OWN,
  ];
  return `${lines.join('\n')}\n`;
}

/** Starts the program that follows. */
const SHELL = ['/bin/sh', '-c', 'exec "$0" "$@"'];

/**
 * Whether the entry may begin with the program. `=` is not allowed in its path, and desktops that use GLib look for the
 * file before they turn `%%` into `%`, and then ignore the entry.
 */
function isNameable(executable: string): boolean {
  return !/[%=]/.test(executable);
}

export function isOwnEntry(entry: string): boolean {
  return linesOf(entry).includes(OWN);
}

/** Whether the entry was turned off in the desktop's settings. */
export function isSwitchedOff(entry: string): boolean {
  return linesOf(entry).some((line) => /^(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)$/i.test(line));
}

function linesOf(entry: string): string[] {
  return entry.split('\n').map((line) => line.trim());
}

/**
 * An argument of `Exec`: quoted, then escaped like any string value, with doubled backslashes. A plain `%` would start a
 * field code (Desktop Entry Specification, "The Exec key").
 */
function quoted(argument: string): string {
  const plain = /^[\w@+=:,./-]+$/.test(argument);
  const inQuotes = plain ? argument : `"${argument.replace(/["`$\\]/g, '\\$&')}"`;
  return inQuotes.replaceAll('\\', '\\\\').replaceAll('%', '%%');
}
