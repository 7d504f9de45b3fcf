import { sourceKey, sourceLabel } from '../../../src-main/common/source-label.ts';

/** Far enough from each other to be told apart. */
const HUES = 12;

export interface SourceMark {
  /** The first letter or digit of the source's name. */
  readonly letter: string;
  /** In degrees; the same for all names of a source. See `.source-mark`. */
  readonly hue: number;
}

export function sourceMark(name: string | null): SourceMark {
  const [letter = '·'] = /[\p{L}\p{N}]/u.exec(sourceLabel(name, 60)) ?? [];
  let hash = 0x811c9dc5;
  for (const character of sourceKey(name)) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  // The lower bits of such a hash are the least mixed.
  return {
    letter: letter.toUpperCase().slice(0, 1 + Number(letter.length > 1)),
    hue: ((hash >>> 8) % HUES) * (360 / HUES),
  };
}
