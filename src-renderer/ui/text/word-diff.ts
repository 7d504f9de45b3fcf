import { diffArrays } from 'diff';
import { plainText } from '../../../src-main/common/text.ts';

export interface DiffPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

const LONGEST = 20_000;
/** Texts with more differences than this are two texts: shown whole, one after the other. */
const MOST_EDITS = 1_500;
/** Spaces and marks alone, or a word of so many characters between long changes, are easier to read as a part of them. */
const MARKERS = /^[\s\p{P}]*$/u;
const LITTLE = 5;

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
  return settled(parts.filter(({ text }) => text !== ''));
}

function wordsIn(text: string): string[] {
  return Array.from(words.segment(text), ({ segment }) => segment);
}

/** A change that has grown may take in what lies on its other side. */
function settled(parts: readonly DiffPart[]): DiffPart[] {
  const next = joined(parts);
  return next.length < parts.length ? settled(next) : next;
}

/** What lies between two changes and says little belongs to both, so that a rewritten phrase reads as one. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  let change = { removed: '', added: '' };
  const flush = (): void => {
    for (const kind of ['removed', 'added'] as const) if (change[kind]) result.push({ kind, text: change[kind] });
    change = { removed: '', added: '' };
  };
  parts.forEach(({ kind, text }, index) => {
    if (kind !== 'same') change[kind] += text;
    else if (saysLittle(text, change, changeAt(parts, index + 1))) {
      change = { removed: change.removed + text, added: change.added + text };
    } else {
      flush();
      result.push({ kind, text });
    }
  });
  flush();
  return result;
}

interface Change {
  removed: string;
  added: string;
}

/** The change that begins at a part: what is removed and what is added up to the next same words. */
function changeAt(parts: readonly DiffPart[], from: number): Change {
  const change: Change = { removed: '', added: '' };
  for (const { kind, text } of parts.slice(from, from + 2)) {
    if (kind === 'same') break;
    change[kind] += text;
  }
  return change;
}

function saysLittle(text: string, before: Change, after: Change): boolean {
  const [left, right] = [before, after].map(({ removed, added }) => Math.max(removed.length, added.length));
  if (!left || !right || !(before.removed || after.removed) || !(before.added || after.added)) return false;
  return MARKERS.test(text) || (text.length <= LITTLE && Math.min(left, right) > 3 * text.length);
}
