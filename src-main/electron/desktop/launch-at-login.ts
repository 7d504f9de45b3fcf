import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { App } from 'electron';
import type { Log } from '../../contract/ports.ts';
import type { Settings } from '../../contract/settings.ts';
import { autostartEntry, isOwnEntry, isSwitchedOff } from './autostart-entry.ts';
import { loginArguments, correctsLoginItem } from '../startup-rules.ts';

type LaunchSettings = Pick<Settings, 'launchAtLogin' | 'startHidden'>;

export interface LaunchPorts {
  app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>;
  platform: NodeJS.Platform;
  environment: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the running program. */
  executable: string;
  log: Log;
}

/** Applies the setting for launch at login to the system. Call `follow` at the start and when settings change. */
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
    const { app } = this.#ports;
    const args = loginArguments(wanted);
    if (atStart && !correctsLoginItem(app.getLoginItemSettings({ args }), wanted)) return;
    app.setLoginItemSettings({ openAtLogin: wanted.launchAtLogin, args });
  }

  /** Linux: adds, updates or removes Broadsheet's entry; an entry created by the user is not modified. */
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

/** The XDG autostart entry. A relative XDG_CONFIG_HOME counts as not set. */
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
