import type { Failure } from '../../src-main/contract/errors.ts';
import type { Capabilities } from '../../src-main/contract/model.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src-main/contract/settings.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { language, localeOf } from '../i18n/language.svelte.ts';
import { showAppearance } from '../lib/appearance.ts';
import { keysInForce, type Keys } from '../lib/shortcuts.ts';

/** The reader's settings, in force on the page as they change. */
export class SettingsState {
  readonly #wire: Wire;
  #settings = $state.raw<Settings>(DEFAULT_SETTINGS);
  readonly #keys = $derived(keysInForce(this.#settings.shortcuts));
  #capabilities = $state.raw<Capabilities | null>(null);

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on('settings.changed', (settings) => this.#apply(settings));
  }

  get current(): Settings {
    return this.#settings;
  }
  get capabilities(): Capabilities | null {
    return this.#capabilities;
  }

  async load(): Promise<void> {
    const [capabilities, settings] = await Promise.all([
      this.#wire.call('app.capabilities', {}),
      this.#wire.call('settings.get', {}),
    ]);
    if (capabilities.ok) this.#capabilities = capabilities.value;
    this.#apply(settings.ok ? settings.value : this.#settings);
  }

  /** The keys that act, as far as single keys do: the reader's choices and the usual ones. */
  get keys(): Keys {
    return this.#keys;
  }

  /** Keeps a change; the page follows at once and goes back if it could not be kept. */
  async set(patch: Partial<Settings>): Promise<Failure | null> {
    const before = this.#settings;
    // An address is not in force before the core has taken it.
    if (patch.newsAddress === undefined && patch.modelsAddress === undefined) this.#apply({ ...before, ...patch });
    const reply = await this.#wire.call('settings.set', { patch });
    this.#apply(reply.ok ? reply.value : before);
    return reply.ok ? null : reply.error;
  }

  /** The reader's own language: the desktop knows it; a page in a browser asks that, for its host may run anywhere. */
  get #systemTag(): string {
    const { host, locale } = this.#capabilities ?? {};
    return host === 'electron' && locale ? locale : navigator.language;
  }

  #apply(settings: Settings): void {
    this.#settings = settings;
    showAppearance(settings);
    const systemTag = this.#systemTag;
    language.use(localeOf(settings.language, systemTag), systemTag, settings.timeFormat);
  }
}
