import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { explainWriteError, writeAtomically } from './atomic-write.ts';

/** In UTF-16 units: the page's text in JSON, where a character may take six. */
const LARGEST_FILE = 100_000;

/** Stores where the reader was: a location, and how far it is scrolled. A damaged file counts as none. */
export class LastPlace {
  readonly #file: string | null;
  #text: string | null = null;
  readonly #inTurn = pLimit(1);

  constructor(dataFolder: string) {
    this.#file = dataFolder === ':memory:' ? null : join(dataFolder, 'last-place.json');
  }

  async get(): Promise<string | null> {
    if (this.#text !== null || this.#file === null) return this.#text;
    try {
      const content = await readFile(this.#file, 'utf8');
      if (content.length > LARGEST_FILE) return null;
      const { place } = JSON.parse(content) as { place?: unknown };
      return typeof place === 'string' ? place : null;
    } catch {
      return null;
    }
  }

  async save(text: string): Promise<void> {
    const file = this.#file;
    this.#text = text;
    if (file === null) return;
    try {
      await this.#inTurn(() => writeAtomically(file, `${JSON.stringify({ place: text })}\n`));
    } catch (cause) {
      throw explainWriteError(file, cause);
    }
  }
}
