/** Characters that can't begin a line, and those that can't end one (Chinese and Latin). */
const NO_START = /^[\p{Pe}\p{Pf},.;:!?%、。，．：；！？…—～·ー”’]/u;
const NO_END = /[\p{Ps}\p{Pi}“‘]$/u;
const HAN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;

/** Returns the width of a text in px. */
export type Measure = (text: string) => number;

/** Splits a text where a line may break: words with the space after them, and single Chinese characters. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (const part of text.match(
    /\p{scx=Han}|\p{scx=Hiragana}|\p{scx=Katakana}|\s+|[^\s\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]+/gu,
  ) ?? []) {
    const before = parts.at(-1);
    const joins = before !== undefined && (NO_START.test(part) || /^\s+$/.test(part) || NO_END.test(before));
    if (joins) parts[parts.length - 1] = before + (/^\s+$/.test(part) ? ' ' : part);
    else parts.push(part);
  }
  return parts;
}

/** Breaks a text into lines of at most this width in px. A word that is wider is broken anywhere. */
export function breakLines(text: string, width: number, measure: Measure): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of partsOf(text.trim())) {
    if (measure((line + part).trimEnd()) <= width) {
      line += part;
      continue;
    }
    if (line !== '') lines.push(line.trimEnd());
    line = '';
    for (const sign of part) {
      if (line !== '' && measure((line + sign).trimEnd()) > width) {
        lines.push(line.trimEnd());
        line = '';
      }
      line += sign;
    }
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()];
}

/** Finds the largest size in px, from `largest` down to `smallest`, at which a text fits into a box, and its lines. */
export function fitText(
  text: string,
  box: { width: number; height: number; largest: number; smallest: number; leading: number },
  measureAt: (size: number) => Measure,
): { size: number; lines: string[] } {
  for (let size = box.largest; ; size -= size > 32 ? 4 : 1) {
    const lines = breakLines(text, box.width, measureAt(size));
    if (lines.length * size * box.leading <= box.height || size <= box.smallest) return { size, lines };
  }
}

/** Returns the first lines of a text, the last of them with an ellipsis if there are more. */
export function cutLines(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines];
  const last = lines[most - 1] ?? '';
  return [
    ...lines.slice(0, most - 1),
    `${last
      .slice(0, HAN.test(last) ? -1 : -2)
      .toWellFormed()
      .trimEnd()}…`,
  ];
}
