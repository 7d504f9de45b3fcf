import { textLanguage } from '../../../src-main/common/text.ts';

const words = new Intl.Segmenter('zh', { granularity: 'word' });

/**
 * Cuts a Chinese text where a line may end between words, in addition to punctuation and spaces. A single character
 * stays with what is before it: it is a particle, a unit, or part of a word that the segmenter doesn't know.
 */
export function breakBetweenWords(text: string): string[] {
  if (textLanguage(text) !== 'zh') return [text];
  const parts: string[] = [];
  let part = '';
  let afterWord = false;
  for (const { segment, isWordLike = false } of words.segment(text)) {
    if (afterWord && isWordLike && segment.length > 1) {
      parts.push(part);
      part = '';
    }
    part += segment;
    afterWord = isWordLike;
  }
  return [...parts, part];
}
