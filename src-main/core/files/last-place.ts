import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { asTime } from '../../common/time.ts';
import type { Result } from '../../contract/methods.ts';
import type { Clock, Ports } from '../../contract/ports.ts';
import { explainWriteError, writeAtomically } from './atomic-write.ts';

/** In UTF-16 units: the page's text in JSON, where a character may take six. */
const LARGEST_FILE = 100_000;

const NONE: SavedPlace = { place: null, savedAt: null };

export type SavedPlace = Result<'app.lastPlace'>;

/** Stores where the reader was: a location, and how far it is scrolled. A damaged file counts as none. */
export class LastPlace {
  readonly #file: string | null;
  readonly #clock: Clock;
  #saved: SavedPlace | null = null;
  readonly #inTurn = pLimit(1);

  constructor({ dataFolder, clock }: Pick<Ports, 'dataFolder' | 'clock'>) {
    this.#file = dataFolder === ':memory:' ? null : join(dataFolder, 'last-place.json');
    this.#clock = clock;
  }

  /** Synchronous, because in Electron the steps of an asynchronous read wait for everything else that starts. */
  get(): SavedPlace {
    if (this.#saved !== null || this.#file === null) return this.#saved ?? NONE;
    try {
      const content = readFileSync(this.#file, 'utf8');
      if (content.length > LARGEST_FILE) return NONE;
      const { place, savedAt } = JSON.parse(content) as { place?: unknown; savedAt?: unknown };
      if (typeof place !== 'string') return NONE;
      return { place, savedAt: typeof savedAt === 'string' ? savedAt : null };
    } catch {
      return NONE;
    }
  }

  async save(place: string): Promise<void> {
    const file = this.#file;
    const saved = { place, savedAt: asTime(this.#clock.now()) };
    this.#saved = saved;
    if (file === null) return;
    try {
      await this.#inTurn(() => writeAtomically(file, `${JSON.stringify(saved)}\n`));
    } catch (cause) {
      throw explainWriteError(file, cause);
    }
  }
}
