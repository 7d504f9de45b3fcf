import { localeOf } from '../../../src-main/common/i18n/locale.ts';
import type { Reply, Result } from '../../../src-main/contract/methods.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { Capabilities } from '../../../src-main/contract/model/capabilities.ts';
import {
  DEFAULT_SETTINGS,
  SETTINGS_SECTIONS,
  type Settings,
  type SettingsSection,
} from '../../../src-main/contract/settings.ts';
import { language } from '../../ui/language.svelte.ts';
import { showAppearance } from './appearance.ts';
import { keysInForce, type Keys } from './keyboard/shortcuts.ts';

/** The settings. A change takes effect on the page at once. */
export class SettingsState {
  readonly #wire: Wire;
  #settings = $state.raw<Settings>(DEFAULT_SETTINGS);
  readonly #keys = $derived(keysInForce(this.#settings.shortcuts));
  #capabilities = $state.raw<Capabilities | null>(null);
  /** As last received from the core. */
  #saved: Settings = DEFAULT_SETTINGS;
  /** Changes that are being saved, oldest first. They override what the core sends meanwhile, which is older. */
  #pending: Partial<Settings>[] = [];

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on('data.replaced', () => void this.load());
    wire.on('settings.changed', (settings) => this.#receive(settings));
  }

  get current(): Settings {
    return this.#settings;
  }
  /** The capabilities of the host; null until they are known. */
  get capabilities(): Capabilities | null {
    return this.#capabilities;
  }
  /** The key of each command: the chosen one, or else the default. */
  get keys(): Keys {
    return this.#keys;
  }

  async load(): Promise<void> {
    const [capabilities, settings] = await Promise.all([
      this.#wire.call('app.capabilities', {}),
      this.#wire.call('settings.get', {}),
    ]);
    if (capabilities.ok) this.#capabilities = capabilities.value;
    this.#receive(settings.ok ? settings.value : this.#saved);
  }

  /** Saves a change. The page shows it at once, and the old value again if it could not be saved. */
  async set(patch: Partial<Settings>): Promise<Failure | null> {
    // An address takes effect only when the core has accepted it.
    const atOnce = patch.newsAddress === undefined && patch.modelsAddress === undefined;
    if (atOnce) this.#pending = [...this.#pending, patch];
    this.#apply();
    const reply = await this.#wire.call('settings.set', { patch });
    this.#pending = this.#pending.filter((pending) => pending !== patch);
    this.#receive(reply.ok ? reply.value : this.#saved);
    return reply.ok ? null : reply.error;
  }

  /** Tries a news source without saving its address. */
  testSource(address: string): Promise<Reply<Result<'source.test'>>> {
    return this.#wire.call('source.test', { address });
  }

  /** Returns the state of a part of the settings, which calls the same core. */
  part<T>(create: (wire: Wire) => T): T {
    return create(this.#wire);
  }

  /**
   * The system's language. The desktop host knows it; otherwise the browser does, because the host may run anywhere.
   */
  get #systemTag(): string {
    const { host, locale } = this.#capabilities ?? {};
    return host === 'electron' && locale ? locale : navigator.language;
  }

  #receive(settings: Settings): void {
    this.#saved = settings;
    this.#apply();
  }

  /** Applies pending changes on top: the reply to an older change must not reset a field that is being typed in. */
  #apply(): void {
    const settings = this.#pending.reduce<Settings>((before, patch) => ({ ...before, ...patch }), this.#saved);
    this.#settings = settings;
    showAppearance(settings);
    const systemTag = this.#systemTag;
    language.use(localeOf(settings.language, systemTag), systemTag, settings.timeFormat);
  }
}

/** Lists the sections that apply to a host. */
export function sectionsOf(can: Pick<Capabilities, 'tray' | 'launchAtLogin' | 'updates'> | null): SettingsSection[] {
  const missing: Partial<Record<SettingsSection, boolean>> = {
    tray: !can?.tray && !can?.launchAtLogin,
    updates: !can?.updates,
  };
  return SETTINGS_SECTIONS.filter((section) => !missing[section]);
}
