import { diffArrays } from 'diff';
import { plainText } from './plain-text.ts';

export interface DiffPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

const LONGEST = 20_000;
/** Texts with more differences than this are two texts: shown whole, one after the other. */
const MOST_EDITS = 1_500;
/** A few same words between two changes are easier to read as a part of them than by themselves. */
const SHORT = /^[\s\p{P}]*$/u;

// It knows the words of Chinese too, which no spaces part.
const words = new Intl.Segmenter('zh', { granularity: 'word' });

/** What changed from one text to another, by words. Parts in order: the removed ones and the same make up `before`. */
export function wordDiff(before: string | null, after: string | null): DiffPart[] {
  const [from, to] = [plainText(before, LONGEST), plainText(after, LONGEST)];
  const changes = diffArrays(wordsIn(from), wordsIn(to), { maxEditLength: MOST_EDITS });
  const parts: DiffPart[] = changes
    ? changes.map(({ added, removed, value }) => ({
        kind: added ? 'added' : removed ? 'removed' : 'same',
        text: value.join(''),
      }))
    : [
        { kind: 'removed', text: from },
        { kind: 'added', text: to },
      ];
  return joined(parts.filter(({ text }) => text !== ''));
}

function wordsIn(text: string): string[] {
  return Array.from(words.segment(text), ({ segment }) => segment);
}

/** Spaces and marks alone between two changes belong to both, so that a rewritten phrase reads as one. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  let removed = '';
  let added = '';
  const flush = (): void => {
    if (removed) result.push({ kind: 'removed', text: removed });
    if (added) result.push({ kind: 'added', text: added });
    removed = added = '';
  };
  parts.forEach(({ kind, text }, index) => {
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else if (removed && added && index < parts.length - 1 && SHORT.test(text)) {
      removed += text;
      added += text;
    } else {
      flush();
      result.push({ kind, text });
    }
  });
  flush();
  return result;
}
