import { textLanguage } from '../../../src-main/common/text.ts';

const CHINESE = /\p{Script=Han}/u;
const words = new Intl.Segmenter('zh', { granularity: 'word' });
/** Names of vendors and models which the segmenter cuts into words. */
const NAMES =
  /(字节跳动|通义千问|百川智能|零一万物|面壁智能|阶跃星辰|商汤科技|宇树科技|智元机器人|火山引擎|昆仑万维|摩尔线程)/u;

/** A text without these has no name or figure that a line could cut. */
const JOINED = /[-\d]/;
const UNIT = String.raw`(?:[%‰]|[A-Z][A-Za-z]{0,2}(?:\/[a-z]+)?|[kmcnμ]?[gmsh]|px|fps|(?:[mb]|tr)illion|tokens?|percent)(?![\p{Script=Latin}\p{N}])`;
const WHOLE = joinedPattern();
const SPACE_BEFORE_UNIT = new RegExp(String.raw` (?<=\d )(?=${UNIT})`, 'gu');
/** A longer one may not fit into a line of a narrow window. */
const LONGEST_WHOLE = 28;

/** The newest titles: those of the rows in sight, and of some that come into sight again. */
const KEPT = 400;
const kept = new Map<string, readonly TitlePart[]>();

export interface TitlePart {
  text: string;
  /** A line may end before it, where the letters alone wouldn't allow it. */
  breaks: boolean;
  /** No line may end in it. */
  whole: boolean;
}

/**
 * Cuts a text where the ends of its lines need a rule. In Chinese, lines end between words, in addition to punctuation
 * and spaces. A single character stays with what is before it: it is a particle, a unit, or part of a word that the
 * segmenter doesn't know.
 */
export function titleParts(text: string): readonly TitlePart[] {
  const chinese = CHINESE.test(text);
  if (!chinese && !JOINED.test(text)) return [{ text, breaks: false, whole: false }];
  const known = kept.get(text);
  if (known) return known;
  const parts = cut(text, chinese && textLanguage(text) === 'zh' ? wordStarts(text) : []);
  const [oldest = text] = kept.keys();
  if (kept.size >= KEPT) kept.delete(oldest);
  kept.set(text, parts);
  return parts;
}

/** Keeps figures and units together, without elements of their own; each character stays in its place. */
export function withWholeAmounts(text: string): string {
  return text.replace(SPACE_BEFORE_UNIT, '\u00a0');
}

function cut(text: string, starts: readonly number[]): TitlePart[] {
  const wholes = [...text.matchAll(WHOLE)]
    .filter(([{ length }]) => length <= LONGEST_WHOLE)
    .map((found) => ({ start: found.index, end: found.index + found[0].length }));
  const breaks = new Set(starts.filter((at) => !wholes.some(({ start, end }) => at > start && at < end)));
  const edges = new Set([0, ...breaks, ...wholes.flatMap(({ start, end }) => [start, end])]);
  edges.delete(text.length);
  return [...edges]
    .sort((a, b) => a - b)
    .map((from, index, all) => ({
      text: text.slice(from, all[index + 1]),
      breaks: breaks.has(from),
      whole: wholes.some(({ start }) => start === from),
    }));
}

/** Returns where words begin that a line may begin with. */
function wordStarts(text: string): number[] {
  const starts: number[] = [];
  let at = 0;
  let afterWord = false;
  for (const { segment, isWordLike = false } of text.split(NAMES).flatMap(wordsOf)) {
    if (afterWord && isWordLike && segment.length > 1) starts.push(at);
    at += segment.length;
    afterWord = isWordLike;
  }
  return starts;
}

function wordsOf(text: string, index: number): Pick<Intl.SegmentData, 'segment' | 'isWordLike'>[] {
  const isName = index % 2 === 1;
  return isName ? [{ segment: text, isWordLike: true }] : [...words.segment(text)];
}

function joinedPattern(): RegExp {
  const letters = String.raw`[\p{Script=Latin}\p{N}.]`;
  const start = String.raw`(?<![\p{Script=Latin}\p{N}])`;
  const end = String.raw`(?![\p{Script=Latin}\p{N}])`;
  const han = String.raw`\p{Script=Han}`;
  const version = String.raw`\d{1,3}(?:\.\d+)?`;
  const name = [
    // With a hyphen: SeeSay-VQA, 霁月-VL, Hornbeam-1.
    String.raw`(?:${han}{1,2}|${letters}+)(?:-${letters}+)*-[\p{Lu}\p{N}]${letters}*(?:-${letters}+)*`,
    // With a figure: Fenwren 3, Qingyu 72B, 霁月 72B.
    String.raw`${start}\p{Lu}${letters}* ${version}[A-Za-z]{0,2}${end}`,
    String.raw`${han}{1,2} ${version}[A-Za-z]{1,2}${end}`,
  ].join('|');
  const after = String.raw`(?: (?:\p{Lu}\p{Script=Latin}+|${UNIT}))`;
  const amount = String.raw`[$€£¥]?\d[\d.,]*[A-Za-z]? (?:${UNIT}|${han}{1,2})`;
  return new RegExp(String.raw`(?:${name})(?:(?<=\d[A-Za-z]?)${after})?|${amount}`, 'gu');
}
