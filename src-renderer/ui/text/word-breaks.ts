import { textLanguage } from '../../../src-main/common/text.ts';

const CHINESE = /\p{Script=Han}/u;
const words = new Intl.Segmenter('zh', { granularity: 'word' });
/** Names of vendors and models which the segmenter cuts into words. */
const NAMES =
  /(字节跳动|通义千问|百川智能|零一万物|面壁智能|阶跃星辰|商汤科技|宇树科技|智元机器人|火山引擎|昆仑万维|摩尔线程)/u;

/** The newest titles: those of the rows in sight, and of some that come into sight again. */
const KEPT = 400;
const kept = new Map<string, readonly string[]>();

/**
 * Cuts a Chinese text where a line may end between words, in addition to punctuation and spaces. A single character
 * stays with what is before it: it is a particle, a unit, or part of a word that the segmenter doesn't know.
 */
export function breakBetweenWords(text: string): readonly string[] {
  if (!CHINESE.test(text)) return [text];
  const known = kept.get(text);
  if (known) return known;
  const parts = textLanguage(text) === 'zh' ? cut(text) : [text];
  const [oldest = text] = kept.keys();
  if (kept.size >= KEPT) kept.delete(oldest);
  kept.set(text, parts);
  return parts;
}

function cut(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  let afterWord = false;
  for (const { segment, isWordLike = false } of text.split(NAMES).flatMap(wordsOf)) {
    if (afterWord && isWordLike && segment.length > 1) {
      parts.push(part);
      part = '';
    }
    part += segment;
    afterWord = isWordLike;
  }
  return [...parts, part];
}

function wordsOf(text: string, index: number): Pick<Intl.SegmentData, 'segment' | 'isWordLike'>[] {
  const isName = index % 2 === 1;
  return isName ? [{ segment: text, isWordLike: true }] : [...words.segment(text)];
}
