import { localeOf } from '../../../src-main/common/i18n/locale.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { Capabilities } from '../../../src-main/contract/model/capabilities.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../src-main/contract/settings.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { language } from '../../ui/language.svelte.ts';
import { showAppearance } from '../../app/appearance.ts';
import { keysInForce, type Keys } from '../../app/shortcuts.ts';

/** The app's settings, in force on the page as they change. */
export class SettingsState {
  readonly #wire: Wire;
  #settings = $state.raw<Settings>(DEFAULT_SETTINGS);
  readonly #keys = $derived(keysInForce(this.#settings.shortcuts));
  #capabilities = $state.raw<Capabilities | null>(null);
  /** As the core told them last. */
  #kept: Settings = DEFAULT_SETTINGS;
  /** Changes that the core has not answered yet, oldest first: what it says meanwhile is older than they are. */
  #sent: Partial<Settings>[] = [];

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on('data.replaced', () => void this.load());
    wire.on('settings.changed', (settings) => this.#told(settings));
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
    this.#told(settings.ok ? settings.value : this.#kept);
  }

  /** The keys that act, as far as single keys do: the app's choices and the usual ones. */
  get keys(): Keys {
    return this.#keys;
  }

  /** Keeps a change; the page follows at once and goes back if it could not be kept. */
  async set(patch: Partial<Settings>): Promise<Failure | null> {
    // An address is not in force before the core has taken it.
    const follows = patch.newsAddress === undefined && patch.modelsAddress === undefined;
    if (follows) this.#sent = [...this.#sent, patch];
    this.#show();
    const reply = await this.#wire.call('settings.set', { patch });
    this.#sent = this.#sent.filter((sent) => sent !== patch);
    this.#told(reply.ok ? reply.value : this.#kept);
    return reply.ok ? null : reply.error;
  }

  /** The app's own language: the desktop knows it; a page in a browser asks that, for its host may run anywhere. */
  get #systemTag(): string {
    const { host, locale } = this.#capabilities ?? {};
    return host === 'electron' && locale ? locale : navigator.language;
  }

  #told(settings: Settings): void {
    this.#kept = settings;
    this.#show();
  }

  /** A field that is typed into must not be set back by the answer to what stood in it before. */
  #show(): void {
    const settings = this.#sent.reduce<Settings>((before, patch) => ({ ...before, ...patch }), this.#kept);
    this.#settings = settings;
    showAppearance(settings);
    const systemTag = this.#systemTag;
    language.use(localeOf(settings.language, systemTag), systemTag, settings.timeFormat);
  }
}
