import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { App } from 'electron';
import type { Log } from '../../contract/ports.ts';
import type { Settings } from '../../contract/settings.ts';
import { autostartEntry, isOwnEntry, isSwitchedOff } from './autostart-entry.ts';
import { loginArguments, correctsLoginItem } from '../startup-rules.ts';

type Wish = Pick<Settings, 'launchAtLogin' | 'startHidden'>;

export interface LaunchPorts {
  app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>;
  platform: NodeJS.Platform;
  environment: Readonly<Record<string, string | undefined>>;
  /** The program that runs, by its whole path. */
  executable: string;
  log: Log;
}

/** Has the system start Broadsheet at login, or not, as the reader wishes. To be told the settings at the start and when they change. */
export class LaunchAtLogin {
  readonly #ports: LaunchPorts;
  #before: Wish | null = null;

  constructor(ports: LaunchPorts) {
    this.#ports = ports;
  }

  follow({ launchAtLogin, startHidden }: Wish): void {
    const before = this.#before;
    if (before?.launchAtLogin === launchAtLogin && before.startHidden === startHidden) return;
    const wish = { launchAtLogin, startHidden };
    this.#before = wish;
    try {
      if (this.#ports.platform === 'linux') this.#keepEntry(wish, before === null);
      else this.#setLoginItem(wish, before === null);
    } catch (error) {
      this.#ports.log('warn', 'The start at login could not be changed', { reason: String(error) });
    }
  }

  #setLoginItem(wish: Wish, atStart: boolean): void {
    const { app } = this.#ports;
    const args = loginArguments(wish);
    if (atStart && !correctsLoginItem(app.getLoginItemSettings({ args }), wish)) return;
    app.setLoginItemSettings({ openAtLogin: wish.launchAtLogin, args });
  }

  /** Linux: an entry of Broadsheet's own comes, changes and goes; one that a person made stays as it is. */
  #keepEntry(wish: Wish, atStart: boolean): void {
    const file = autostartFile(this.#ports.environment);
    const found = contentOf(file);
    if (found !== null && !isOwnEntry(found)) return;
    if (!wish.launchAtLogin) return found === null ? undefined : rmSync(file, { force: true });
    // The desktop's own settings are the reader's word too, until he says another one here.
    if (found !== null && atStart && isSwitchedOff(found)) return;
    const entry = this.#entry(wish);
    if (found === entry) return;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, entry);
  }

  #entry(wish: Wish): string {
    const { environment, executable } = this.#ports;
    // An AppImage runs from a folder that is mounted for this run only.
    return autostartEntry(environment['APPIMAGE'] || executable, loginArguments(wish));
  }
}

/** Where desktops look for what they start at login. By the XDG rules a relative path counts as not set. */
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
