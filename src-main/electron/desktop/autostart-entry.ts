import { isAbsolute } from 'node:path';

/** By this line an entry is known as Broadsheet's own; one that a person made is left alone. */
const OWN = 'X-Broadsheet-Autostart=true';

/**
 * A desktop entry for the folder `autostart` (Desktop Application Autostart Specification). Errors: a RangeError for a
 * program that no entry can name.
 */
export function autostartEntry(executable: string, args: readonly string[]): string {
  const exec = [executable, ...args].map(quoted).join(' ');
  if (!isAbsolute(executable) || /\p{Cc}/u.test(exec)) {
    throw new RangeError('Only a program by its whole path, without control characters, can be started at login.');
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

export function isOwnEntry(entry: string): boolean {
  return linesOf(entry).includes(OWN);
}

/** Whether the desktop's own settings switched an entry off, by the ways that they have. */
export function isSwitchedOff(entry: string): boolean {
  return linesOf(entry).some((line) => /^(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)$/i.test(line));
}

function linesOf(entry: string): string[] {
  return entry.split('\n').map((line) => line.trim());
}

/**
 * An argument of `Exec`: quoted, and then written as any string value is, where a backslash is two. `%` would begin a field
 * code (Desktop Entry Specification, "The Exec key").
 */
function quoted(argument: string): string {
  const plain = /^[\w@+=:,./-]+$/.test(argument);
  const inQuotes = plain ? argument : `"${argument.replace(/["`$\\]/g, '\\$&')}"`;
  return inQuotes.replaceAll('\\', '\\\\').replaceAll('%', '%%');
}
