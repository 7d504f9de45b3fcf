import { app, BrowserWindow, dialog, safeStorage, shell } from 'electron';
import { toFailure } from '../contract/errors.ts';
import type { Capabilities } from '../contract/model.ts';
import type { KeyStore, Log, SettingsStore } from '../contract/ports.ts';
import type { Wire } from '../contract/wire.ts';
import { createCore, type Core } from '../core/core.ts';
import { systemClock } from '../core/system_clock.ts';
import { failingWire } from './ipc.ts';
import { Keychain } from './keychain.ts';
import { openLink } from './links.ts';
import { ENGINE_MODULE } from './places.ts';
import { savePdf } from './save_pdf.ts';
import { givenKey, type Sources } from './source.ts';
import { openFile } from './stored_file.ts';

/** What the desktop turned out to offer. */
export type Offers = Pick<Capabilities, 'tray' | 'notifications' | 'launchAtLogin'>;

interface CorePorts {
  dataFolder: string;
  log: Log;
  settings: SettingsStore;
  sources: Sources;
  offers: Offers;
}

/** The core with everything that Electron gives it. Errors: as those of {@link createCore}. */
export function openCore({ dataFolder, log, settings, sources, offers }: CorePorts): Promise<Core> {
  const keys = new Keychain({
    vault: safeStorage,
    platform: process.platform,
    file: openFile(dataFolder, 'key', log),
    log,
    given: givenKey(process.env, settings.get(), log),
  });
  return createCore({
    dataFolder,
    engineModule: ENGINE_MODULE,
    clock: systemClock,
    log,
    settings,
    capabilities: capabilities(keys, offers),
    source: (current) => sources.choose(current),
    gateway: (current, news) => sources.gateway(current, news),
    keys,
    openExternal: (url) => openLink(shell, url),
    savePdf: (name) => savePdf(BrowserWindow, dialog, name),
  });
}

/** The core's wire; where the core did not open, one that answers every call with the reason. */
export function wireOf(opening: Promise<Core>, log: Log): Promise<Wire> {
  return opening.then(
    (core) => core.wire,
    (error: unknown) => {
      log('error', 'Broadsheet could not open its store', { reason: String(error) });
      return failingWire(toFailure(error));
    },
  );
}

/** The operating system's preferred language, as a BCP 47 tag. */
export function systemLanguage(): string {
  return app.getPreferredSystemLanguages()[0] ?? app.getLocale();
}

function capabilities({ keeping }: KeyStore, offers: Offers): Capabilities {
  return {
    host: 'electron',
    version: app.getVersion(),
    platform: process.platform,
    locale: systemLanguage(),
    ...offers,
    keychain: keeping === 'keychain',
    opensLinks: true,
    pdf: true,
    windows: false,
    dataFolder: false,
    updates: false,
  };
}
