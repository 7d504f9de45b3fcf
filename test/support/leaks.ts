import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** This many consecutive characters of a key are no coincidence, and more than may be shown. */
const WINDOW = 10;

/** Everything that was sent, logged and written while a key was in use, for searching. */
export class Evidence {
  readonly #said = new Map<string, Buffer[]>();

  /** @param place where it was found, for the message of a failing test */
  add(place: string, what: string | Uint8Array): void {
    const before = this.#said.get(place) ?? [];
    this.#said.set(place, [...before, Buffer.from(what)]);
  }

  /** The current content of every file under a folder, even while it is being written. */
  addFolder(place: string, folder: string): void {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (entry.isFile()) this.add(`${place}: ${relative(folder, file)}`, contentOf(file));
      this.add(`${place}: names`, entry.name);
    }
  }

  get places(): string[] {
    return [...this.#said.keys()];
  }

  size(place: string): number {
    return (this.#said.get(place) ?? []).reduce((sum, { length }) => sum + length, 0);
  }

  /** Where a key occurs, and in which form: parts of it and other cases count too. */
  placesOf(key: string): string[] {
    const forms = [...formsOf(key)];
    return this.places.flatMap((place) => {
      const text = Buffer.concat(this.#said.get(place) ?? [])
        .toString('latin1')
        .toLowerCase();
      const found = forms.find(([form]) => text.includes(form));
      return found ? [`${place} (${found[1]})`] : [];
    });
  }
}

/** The forms of a key: lower-case form -> its name. */
export function formsOf(key: string): Map<string, string> {
  const forms = new Map<string, string>();
  const add = (form: string, name: string) => forms.set(form.toLowerCase(), name);
  // The last four characters may be shown.
  for (let at = 0; at + WINDOW <= key.length - 4; at++) add(key.slice(at, at + WINDOW), 'as it is');
  add(encodeURIComponent(key), 'percent-encoded');
  add([...key].reverse().join(''), 'backwards');
  add(Buffer.from(key).toString('hex'), 'hex');
  add(Buffer.from(key, 'utf16le').toString('latin1'), 'UTF-16');
  for (const prefix of ['', 'x', 'xx', 'Bearer ']) {
    // In base64, the preceding text changes the alignment, and the ends depend on adjacent bytes.
    const inner = Buffer.from(`${prefix}${key}`).toString('base64').replace(/=+$/, '').slice(12, -4);
    add(inner, 'base64');
    add(inner.replaceAll('+', '-').replaceAll('/', '_'), 'base64url');
  }
  return forms;
}

/** Empty if it is gone: an unfinished file gets its final name meanwhile. */
function contentOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Uint8Array();
    throw error;
  }
}
