import { localeOf } from '../../../src-main/common/i18n/locale.ts';
import type { Reply } from '../../../src-main/contract/methods.ts';
import type { Capabilities } from '../../../src-main/contract/model/capabilities.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../src-main/contract/settings.ts';
import type { Live, LiveAnswers } from '../../api/live.ts';
import { language } from '../../ui/language.svelte.ts';
import type { PageSettings } from '../../ui/page-context.ts';
import { keysInForce, type Keys } from './shortcuts.ts';

/** Read by `public/first-paint.js` before the first paint. */
const HINT = 'broadsheet.appearance';

export class SettingsState implements PageSettings {
  readonly #live: LiveAnswers;
  readonly #settings: Live<'settings.get'>;
  readonly #capabilities: Live<'app.capabilities'>;
  readonly #keys = $derived(keysInForce(this.current.shortcuts));

  constructor(live: LiveAnswers) {
    this.#live = live;
    this.#settings = live.get('settings.get', {});
    this.#capabilities = live.get('app.capabilities', {});
  }

  get current(): Settings {
    return this.#settings.value ?? DEFAULT_SETTINGS;
  }
  /** The capabilities of the host; null until they are known. */
  get capabilities(): Capabilities | null {
    return this.#capabilities.value;
  }
  /** The key of each command: the chosen one, or else the default. */
  get keys(): Keys {
    return this.#keys;
  }

  keyOf(command: 'help' | 'next' | 'note' | 'previous' | 'search' | 'star'): string {
    return this.current.singleKeys ? this.#keys[command] : '';
  }

  /** Reads the settings and follows them as long as the page is open. */
  async load(): Promise<void> {
    await Promise.all([this.#settings.read(), this.#capabilities.read()]);
    this.#apply();
    $effect.root(() => {
      $effect(() => this.#apply());
    });
  }

  async set(patch: Partial<Settings>): Promise<Reply<Settings>> {
    // An address takes effect only when the core has accepted it.
    const isAddress = patch.newsAddress !== undefined || patch.modelsAddress !== undefined;
    const change = { 'settings.get': (shown: Settings): Settings => ({ ...shown, ...patch }) };
    const reply = await this.#live.change(isAddress ? {} : change, 'settings.set', { patch });
    if (reply.ok && isAddress) await this.#settings.read();
    return reply;
  }

  /** Sets the language, colours, font and text size of the page, and saves a copy of the looks for the next start. */
  #apply(): void {
    const { theme, font, textSize, language: chosen } = this.current;
    const root = document.documentElement;
    if (theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = theme;
    root.dataset['font'] = font;
    root.style.setProperty('--text-size', String(textSize));
    try {
      localStorage.setItem(HINT, JSON.stringify({ theme, font, textSize }));
    } catch {
      // Storage may be disabled: the page then starts with the system theme and the default size.
    }
    // The desktop host knows the system's language; otherwise the browser does, because the host may run anywhere.
    const { host, locale } = this.capabilities ?? {};
    const systemTag = host === 'electron' && locale ? locale : navigator.language;
    language.use(localeOf(chosen, systemTag), systemTag);
  }
}
