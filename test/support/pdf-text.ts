import { inflateSync } from 'node:zlib';

/**
 * The text of a PDF that Chromium wrote, page after page, as {@link plain}: glyphs stand where they are drawn, not in words
 * and lines.
 */
export function pdfText(pdf: Buffer): { pages: number; text: string } {
  const file = pdf.toString('latin1');
  const objects = new Map<string, string>();
  for (const [, number, body] of file.matchAll(/(\d+) 0 obj\s([\s\S]*?)endobj/g)) objects.set(number!, body!);
  const fonts = new Map<string, Map<string, string>>();
  for (const [, name, number] of file.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(number!) ?? '')?.[1];
    if (table !== undefined) fonts.set(name!, charactersOf(streamOf(objects.get(table) ?? '')));
  }
  const text = [...objects.values()]
    .map(streamOf)
    .filter((stream) => /\sTf\s/.test(stream))
    .map((stream) => textOf(stream, fonts))
    .join('');
  return { pages: [...file.matchAll(/\/Type \/Page\b/g)].length, text };
}

/**
 * Returns true if a PDF contains a text. A Chinese character and a radical of the same shape (U+2E80 to U+2EFF) share a
 * glyph, and the PDF names one of them.
 */
export function printed(text: string, wanted: string): boolean {
  const characters = Array.from(plain(wanted), (character) => {
    const itself = character.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`);
    return /\p{Script=Han}/u.test(character) ? `[${itself}\u2e80-\u2eff]` : itself;
  });
  return new RegExp(characters.join(''), 'u').test(text);
}

function streamOf(body: string): string {
  const begin = /stream\r?\n/.exec(body);
  if (!begin) return '';
  const head = body.slice(0, begin.index);
  // Fonts and pictures are streams, too.
  if (/\/(Subtype \/Image|Length1)/.test(head)) return '';
  const from = begin.index + begin[0].length;
  const bytes = Buffer.from(body.slice(from, from + Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0)), 'latin1');
  return (head.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
}

/** Returns the characters of each code of a font. */
function charactersOf(table: string): Map<string, string> {
  const characters = new Map<string, string>();
  const utf16 = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le');
  for (const [, block] of table.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, code, to] of block!.matchAll(/<(\w+)>\s*<(\w+)>/g)) characters.set(code!.toUpperCase(), utf16(to!));
  }
  for (const [, block] of table.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const [, from, until, to] of block!.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      const first = parseInt(from!, 16);
      for (let code = first; code <= parseInt(until!, 16); code += 1) {
        const character = (parseInt(to!, 16) + code - first).toString(16).padStart(4, '0');
        characters.set(code.toString(16).padStart(from!.length, '0').toUpperCase(), utf16(character));
      }
    }
  }
  return characters;
}

function textOf(stream: string, fonts: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  let font: ReadonlyMap<string, string> = new Map();
  let text = '';
  for (const [, name, codes] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|<([\dA-Fa-f]+)>/g)) {
    if (name !== undefined) font = fonts.get(name) ?? new Map();
    else {
      // Variable fonts have codes of one byte, others of two.
      const [one = '0000'] = font.keys();
      for (let at = 0; at < codes!.length; at += one.length) {
        text += font.get(codes!.slice(at, at + one.length).toUpperCase()) ?? '';
      }
    }
  }
  return plain(text);
}

/** A text as it is compared: without white space, and with one code for characters that look alike. */
export function plain(text: string): string {
  return text.normalize('NFKC').replace(/\s/g, '');
}
