import { nameTextOf, SEPARATORS } from './name-text.ts';
import { isAliasId } from '../../../common/model-fields.ts';
import { isIdeograph } from '../../search/search-text.ts';

export interface NamedModel {
  id: string;
  /** As received, sometimes with the vendor before a colon. */
  name: string;
}

/** In tokens. No text has a longer name. */
export const LONGEST_NAME = 24;
/** Shorter words are everyday words or parts of too many names. */
const SHORTEST_WORD = 5;
/** In letters and digits: `R1` and `V3` are names of many things. */
const SHORTEST_NAME = 3;

/** Words that don't identify a model alone, in pairs or with a number. */
const COMMON = new Set(
  `a agent air alpha and assistant audio auto base basic beta chat claw code coder coding command compact core custom deep
  default dev distill edge embed embedding embeddings english experimental extended fast flash free fusion guard high image
  instant instruct large latest light lite live long low math max medium micro mini model models multilingual multimodal nano
  new next omni online open pilot plus premier preview pro quality reasoner reasoning release rerank research router search
  small smart speech standard studio super text the think thinking tiny turbo ultra unified v version video vision vl voice
  web x xl`.split(/\s+/),
);
const COMMON_CHINESE = new Set(
  `模型 大模型 小模型 语言模型 大语言模型 智能 人工智能 智能体 助手 对话 推理 思考 视觉 多模态 预览 免费 标准 专业 高级 极速
  轻量 旗舰 嵌入 向量`.split(/\s+/),
);
const NUMBER = /^\d+[bkmt]?(\.\d+[bkmt]?)*$/;

/**
 * The names of a model, as written by `nameTextOf`: its id, the id without vendor and variant, and its display name
 * without vendor and trailing brackets. Names that are too common are left out.
 */
export function namesOf({ id, name }: NamedModel): string[] {
  const withoutVendor = id.slice(id.indexOf('/') + 1);
  const names = [id, withoutVariant(id), withoutVariant(withoutVendor), displayName(name)].map(nameTextOf);
  return [...new Set(names)].filter((text) => isUsable(text) && !isCommon(text));
}

/**
 * An alias in the form used for matching; null if it contains no word. Common words are allowed: the reader chose them.
 */
export function aliasOf(alias: string): string | null {
  const text = nameTextOf(alias);
  return isUsable(text) ? text : null;
}

/**
 * Which of two models with the same name it means: the one that is no alias, then the one without a variant, then the one
 * with the shorter id.
 */
export function isCloser(id: string, other: string): boolean {
  if (isAliasId(id) !== isAliasId(other)) return isAliasId(other);
  if (id.includes(':') !== other.includes(':')) return other.includes(':');
  if (id.length !== other.length) return id.length < other.length;
  return id < other;
}

function withoutVariant(id: string): string {
  return id.replace(/:[^:/]*$/, '');
}

/** The `Name` in `Vendor: Name (free)`. */
function displayName(name: string): string {
  return name.replace(/^[^:：]*(?::\s+|：)/, '').replace(/(?:\s*[(（][^()（）]*[)）])+\s*$/, '');
}

function isUsable(text: string): boolean {
  return text !== '' && text.split(SEPARATORS).length <= LONGEST_NAME;
}

function isCommon(text: string): boolean {
  const words = text.split(/[ \n:]/);
  const letters = text.replaceAll(SEPARATORS, '');
  if (letters.length < (isIdeograph(text) ? 2 : SHORTEST_NAME)) return true;
  if (COMMON_CHINESE.has(letters) || words.every((word) => NUMBER.test(word))) return true;
  if (words.length === 1 && letters.length < SHORTEST_WORD && !/\p{N}/u.test(letters)) return true;
  // Three common words in a row do make a name: `text-embedding-3-large`.
  return words.length <= 2 && words.every((word) => COMMON.has(word) || NUMBER.test(word));
}
