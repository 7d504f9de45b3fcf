import { sourceKey } from '../../../src-main/common/source-label.ts';
import type { PaletteEntry } from '../../features/palette/index.ts';
import type { AppState } from '../app-state.svelte.ts';
import { paletteEntries, type PaletteCommands } from './palette-entries.ts';

/** The most sources that the contract allows in one call. */
const PART = 500;
/** Each is compared with what is typed, at every key: some 2 ms for a thousand. */
const MOST = 2_000;

/** What an open palette offers. Create one for each opening: it then reads the names of the sources. */
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

  /** Part by part, those with the most unread items first. What can't be read is left out: the Sources page says why. */
  async #readSources(): Promise<void> {
    for (let offset = 0; offset < MOST; offset += PART) {
      const reply = await this.#app.wire.call('sources.list', { sort: 'unread', offset, limit: PART });
      if (!reply.ok) return;
      const { sources, count } = reply.value;
      // Their order may have changed between two parts.
      const known = new Set(this.#sourceNames.map(sourceKey));
      const others = sources.map(({ name }) => name).filter((name) => !known.has(sourceKey(name)));
      this.#sourceNames = [...this.#sourceNames, ...others];
      if (offset + PART >= count) return;
    }
  }
}
