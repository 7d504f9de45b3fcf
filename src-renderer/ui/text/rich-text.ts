import { Lexer, type Token, type Tokens } from 'marked';
import { paragraphs, plainText } from '../../../src-main/common/text.ts';
import { safeLink } from '../../../src-main/contract/addresses.ts';

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis' | 'deleted'; children: Inline[] }
  | { kind: 'link'; url: string; children: Inline[] }
  | { kind: 'break' };

export type Block =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'heading'; depth: number; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; start: number | null; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' };

const LONGEST = 200_000;
/** Longer paragraphs are shown as plain text. */
const LONGEST_PARAGRAPH = 10_000;
/** Everything that can begin or end markup; each becomes one node at most. */
const MARKS = /[*_~`[\]<>|\\!&@\n]|[-+]\s|\d[.)]\s|www\.|:\/\//g;
const MOST_MARKS = 12_000;
/** Begins an item of a list, and so ends the paragraph before it: of numbers only 1 does. */
const NEXT_ITEM = /\n(?= {0,3}(?:[-+*]|1[.)])[ \t]+[^ \t\n])/;
/**
 * The parser scans the rest of the paragraph for each mark, and the rest of the list for each item, so the work is
 * their number times the length. This much takes a fifth of a second; texts that people write have a tenth of it.
 */
const MOST_WORK = 10_000_000;
/** The rest of a text with more lines is one plain paragraph. */
const MOST_LINES = 1_000;
/** Deeper nesting is shown as plain text: people don't write such texts. */
const DEEPEST = 10;

/**
 * Parses Markdown into nodes of an allow-list. Nothing ever becomes HTML: markup is text, an image is its description,
 * and a link that is not a web link is its words. A text that would take too long to parse is shown as plain text
 * (docs/decisions/144).
 */
export function richText(markdown: string): Block[] {
  const text = plainText(markdown, LONGEST);
  if (!isWithinBudget(text)) return asWritten(text);
  try {
    return blocks(Lexer.lex(text, { gfm: true }), 0);
  } catch {
    // The parser itself overflows the stack.
    return asWritten(text);
  }
}

/** Returns every web address in a text once, with the words that link to it. */
export function addressesIn(nodes: readonly Block[]): { url: string; words: string }[] {
  const found = new Map<string, string>();
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (typeof node !== 'object' || node === null) return;
    const link = node as Inline;
    if (link.kind === 'link' && !found.has(link.url)) found.set(link.url, wordsOf(link.children));
    Object.values(node).forEach(walk);
  };
  walk(nodes);
  return [...found].map(([url, words]) => ({ url, words }));
}

function wordsOf(nodes: readonly Inline[]): string {
  return nodes.map((node) => ('text' in node ? node.text : 'children' in node ? wordsOf(node.children) : ' ')).join('');
}

function isWithinBudget(text: string): boolean {
  let marks = 0;
  let work = 0;
  for (const part of text.split(/\n[ \t]*\n/)) {
    if (part.length > LONGEST_PARAGRAPH) return false;
    const items = part.split(NEXT_ITEM);
    work += (items.length - 1) * part.length;
    for (const item of items) {
      const inItem = item.match(MARKS)?.length ?? 0;
      // The paragraph itself is a node, too.
      marks += 1 + inItem;
      work += inItem * item.length;
    }
    if (marks > MOST_MARKS || work > MOST_WORK) return false;
  }
  return true;
}

function asWritten(text: string): Block[] {
  const lines = paragraphs(text);
  const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), lines.slice(MOST_LINES).join(' ')] : lines;
  return shown.map((line) => ({ kind: 'paragraph', children: [{ kind: 'text', text: line }] }));
}

function blocks(tokens: readonly Token[], depth: number): Block[] {
  return tokens.flatMap((token) => {
    const node = depth > DEEPEST ? written(token) : block(token, depth);
    return node ?? [];
  });
}

function block(token: Tokens.Generic, depth: number): Block | null {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return null;
    case 'heading':
      return { kind: 'heading', depth: (token as Tokens.Heading).depth, children: inside(token, depth) };
    case 'code':
      return { kind: 'code', text: plainText((token as Tokens.Code).text, LONGEST) };
    case 'hr':
      return { kind: 'rule' };
    case 'blockquote':
      return { kind: 'quote', blocks: blocks(token.tokens ?? [], depth + 1) };
    case 'list':
      return list(token as Tokens.List, depth);
    case 'table':
      return table(token as Tokens.Table, depth);
    case 'paragraph':
    case 'text':
      return { kind: 'paragraph', children: inside(token, depth) };
    default:
      return written(token);
  }
}

function list({ ordered, start, items }: Tokens.List, depth: number): Block {
  return {
    kind: 'list',
    start: ordered ? Number(start) || 0 : null,
    items: items.map(({ task, checked, tokens }) => {
      const content = blocks(tokens, depth + 1);
      const box: Block = { kind: 'paragraph', children: [{ kind: 'text', text: checked ? '☑' : '☐' }] };
      return task ? [box, ...content] : content;
    }),
  };
}

function table({ header, rows }: Tokens.Table, depth: number): Block {
  const cell = ({ tokens }: Tokens.TableCell): Inline[] => inlines(tokens, depth + 1);
  return { kind: 'table', head: header.map(cell), rows: rows.map((row) => row.map(cell)) };
}

function inside(token: Tokens.Generic, depth: number): Inline[] {
  return token.tokens ? inlines(token.tokens, depth + 1) : textOf(unescaped(String(token.text ?? token.raw)));
}

function inlines(tokens: readonly Token[], depth: number): Inline[] {
  return tokens.flatMap((token) => (depth > DEEPEST ? textOf(token.raw) : inline(token as Tokens.Generic, depth)));
}

function inline(token: Tokens.Generic, depth: number): Inline[] {
  const children = (): Inline[] => inlines(token.tokens ?? [], depth + 1);
  switch (token.type) {
    case 'strong':
      return [{ kind: 'strong', children: children() }];
    case 'em':
      return [{ kind: 'emphasis', children: children() }];
    case 'del':
      return [{ kind: 'deleted', children: children() }];
    case 'codespan':
      return [{ kind: 'code', text: plainText(String(token.text), LONGEST) }];
    case 'br':
      return [{ kind: 'break' }];
    case 'link': {
      const url = safeLink((token as Tokens.Link).href);
      return url === null ? children() : [{ kind: 'link', url, children: children() }];
    }
    case 'image':
    case 'escape':
      return textOf(unescaped(String(token.text)));
    case 'text':
      return token.tokens ? children() : textOf(unescaped(String(token.text)));
    case 'checkbox':
      return [];
    default:
      return textOf(token.raw);
  }
}

function written({ raw }: Token): Block | null {
  return raw.trim() === '' ? null : { kind: 'paragraph', children: [{ kind: 'text', text: raw.trim() }] };
}

function textOf(text: string): Inline[] {
  // The parser resolves some character references by itself: the result may be a control character.
  const shown = plainText(text, LONGEST);
  return shown === '' ? [] : [{ kind: 'text', text: shown }];
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** Resolves character references, which Markdown has from HTML. The results are text as well. */
function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos|nbsp));/g, (raw, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    if (name !== undefined) return NAMED[name] ?? raw;
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : raw;
  });
}
