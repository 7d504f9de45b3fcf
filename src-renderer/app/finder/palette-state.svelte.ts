import { sourceKey } from '../../../src-main/common/source-label.ts';
import type { PaletteEntry } from '../../features/palette/index.ts';
import type { AppState } from '../app-state.svelte.ts';
import { paletteEntries, type PaletteCommands } from './palette-entries.ts';

/** Most sources that the contract allows in one call. */
const PART = 500;
/** All of them are compared with the text at every key: about 2 ms per thousand. */
const MOST = 2_000;

/** The entries of an open palette. Create one for each opening, so that it reads the current sources. */
export class PaletteState {
  readonly #app: AppState;
  readonly #keyboard: PaletteCommands;
  #sourceNames = $state.raw<readonly string[]>([]);

  constructor(app: AppState, keyboard: PaletteCommands) {
    this.#app = app;
    this.#keyboard = keyboard;
    void this.#readSources();
  }

  get entries(): PaletteEntry[] {
    return paletteEntries(this.#app, this.#keyboard, this.#sourceNames);
  }

  /**
   * Reads the sources in parts, those with the most unread items first. Skips what can't be read: the Sources page
   * reports it.
   */
  async #readSources(): Promise<void> {
    for (let offset = 0; offset < MOST; offset += PART) {
      const reply = await this.#app.wire.call('sources.list', { sort: 'unread', offset, limit: PART });
      if (!reply.ok) return;
      const { sources, count } = reply.value;
      // The order may have changed between two parts.
      const known = new Set(this.#sourceNames.map(sourceKey));
      const others = sources.map(({ name }) => name).filter((name) => !known.has(sourceKey(name)));
      this.#sourceNames = [...this.#sourceNames, ...others];
      if (offset + PART >= count) return;
    }
  }
}
