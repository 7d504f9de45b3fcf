import { diffArrays } from 'diff';
import { plainText } from '../../../src-main/common/text.ts';

export interface DiffPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

const LONGEST = 20_000;
/** Texts with more differences than this are shown in full, one after the other. */
const MOST_EDITS = 1_500;
/**
 * A part between long changes is easier to read as a part of them if it is only spaces and punctuation, or as short as
 * this.
 */
const MARKERS = /^[\s\p{P}]*$/u;
const LITTLE = 5;

// Also segments Chinese, which has no spaces.
const words = new Intl.Segmenter('zh', { granularity: 'word' });

/** Compares two texts by words. Parts are in order: the removed and the unchanged ones make up `before`. */
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

/** Joins until nothing changes: a change that has grown may take in the part on its other side. */
function settled(parts: readonly DiffPart[]): DiffPart[] {
  const next = joined(parts);
  return next.length < parts.length ? settled(next) : next;
}

/** Joins a short part between two changes with both, so that a rewritten phrase reads as one. */
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

/** Returns the change that begins at a part: all that is removed and added up to the next unchanged words. */
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
