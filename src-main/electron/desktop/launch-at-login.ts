import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { app } from 'electron';
import type { Log } from '../../contract/ports.ts';
import type { Settings } from '../../contract/settings.ts';
import { loginArguments, correctsLoginItem } from '../startup-rules.ts';

type LaunchSettings = Pick<Settings, 'launchAtLogin' | 'startHidden'>;

interface LaunchPorts {
  platform: NodeJS.Platform;
  environment: Readonly<Record<string, string | undefined>>;
  executable: string;
  log: Log;
}

export class LaunchAtLogin {
  readonly #ports: LaunchPorts;
  #applied: LaunchSettings | null = null;

  constructor(ports: LaunchPorts) {
    this.#ports = ports;
  }

  follow({ launchAtLogin, startHidden }: LaunchSettings): void {
    const applied = this.#applied;
    if (applied?.launchAtLogin === launchAtLogin && applied.startHidden === startHidden) return;
    const wanted = { launchAtLogin, startHidden };
    this.#applied = wanted;
    try {
      if (this.#ports.platform === 'linux') this.#updateEntry(wanted, applied === null);
      else this.#setLoginItem(wanted, applied === null);
    } catch (error) {
      this.#ports.log('warn', 'Could not change launch at login', { reason: String(error) });
    }
  }

  #setLoginItem(wanted: LaunchSettings, atStart: boolean): void {
    const args = loginArguments(wanted);
    if (atStart && !correctsLoginItem(app.getLoginItemSettings({ args }), wanted)) return;
    app.setLoginItemSettings({ openAtLogin: wanted.launchAtLogin, args });
  }

  #updateEntry(wanted: LaunchSettings, atStart: boolean): void {
    const file = autostartFile(this.#ports.environment);
    const found = contentOf(file);
    if (found !== null && !isOwnEntry(found)) return;
    if (!wanted.launchAtLogin) return found === null ? undefined : rmSync(file, { force: true });
    // Turned off in the desktop's settings: respect that until the setting changes here.
    if (found !== null && atStart && isSwitchedOff(found)) return;
    const entry = this.#entry(wanted);
    if (found === entry) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, entry);
  }

  #entry(wanted: LaunchSettings): string {
    const { environment, executable } = this.#ports;
    // An AppImage runs from a temporary mount.
    return autostartEntry(environment['APPIMAGE'] || executable, loginArguments(wanted));
  }
}

export function autostartFile(environment: LaunchPorts['environment']): string {
  const config = environment['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(config) ? config : join(homedir(), '.config'), 'autostart', 'broadsheet.desktop');
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const OWN = 'X-Broadsheet-Autostart=true';

/** Desktop Application Autostart Specification. */
export function autostartEntry(executable: string, args: readonly string[]): string {
  const exec = [...(isNameable(executable) ? [] : SHELL), executable, ...args].map(quote).join(' ');
  if (!isAbsolute(executable) || /\p{Cc}/u.test(exec)) {
    throw new RangeError('A program started at login needs an absolute path without control characters.');
  }
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Broadsheet',
    `Exec=${exec}`,
    `TryExec=${executable.replaceAll('\\', '\\\\')}`,
    'Icon=broadsheet',
    'Terminal=false',
    'StartupNotify=false',
    OWN,
  ];
  return `${lines.join('\n')}\n`;
}

const SHELL = ['/bin/sh', '-c', 'exec "$0" "$@"'];

/** Excludes `=`, which paths can't have, and `%`: GLib desktops look for the file before they turn `%%` into `%`. */
function isNameable(executable: string): boolean {
  return !/[%=]/.test(executable);
}

export function isOwnEntry(entry: string): boolean {
  return linesOf(entry).includes(OWN);
}

export function isSwitchedOff(entry: string): boolean {
  return linesOf(entry).some((line) => /^(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)$/i.test(line));
}

function linesOf(entry: string): string[] {
  return entry.split('\n').map((line) => line.trim());
}

/** Doubles backslashes, as in any string, and `%`, which starts a field code (Desktop Entry Specification, `Exec`). */
function quote(argument: string): string {
  const plain = /^[\w@+=:,./-]+$/.test(argument);
  const inQuotes = plain ? argument : `"${argument.replace(/["`$\\]/g, '\\$&')}"`;
  return inQuotes.replaceAll('\\', '\\\\').replaceAll('%', '%%');
}
