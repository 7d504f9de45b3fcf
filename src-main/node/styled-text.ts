import { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { oneLine } from './terminal.ts';

type Style = 'bold' | 'dim' | 'red' | 'yellow';

interface Part {
  text: string;
  style: Style | null;
}

/** A line, or lines, with styles that only a terminal shows. Its texts are safe to print. */
export class StyledText {
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  get parts(): readonly Part[] {
    return this.#parts;
  }

  toString(): string {
    return this.#parts.map(({ text }) => text).join('');
  }

  withColours(): string {
    return this.#parts.map(({ text, style }) => (style && text !== '' ? escaped(style, text) : text)).join('');
  }
}

export type Text = string | StyledText;

export const bold = (text: string): StyledText => styledAs('bold', text);
export const dim = (text: string): StyledText => styledAs('dim', text);
export const red = (text: string): StyledText => styledAs('red', text);
export const yellow = (text: string): StyledText => styledAs('yellow', text);

/** A line made of texts, which are made safe to print on one line, and of styled ones. */
export function line(words: TemplateStringsArray, ...values: readonly Text[]): StyledText {
  return new StyledText(
    words.flatMap((text, index) => {
      const value = values[index];
      const plain = { text, style: null };
      return value === undefined ? [plain] : [plain, ...partsOf(typeof value === 'string' ? oneLine(value) : value)];
    }),
  );
}

/** Lines below each other. Strings among them must be safe to print. */
export function lines(all: readonly Text[]): StyledText {
  return new StyledText(
    all.flatMap((one, index) => [...(index === 0 ? [] : [{ text: '\n', style: null }]), ...partsOf(one)]),
  );
}

/** Follows Node's rules: colours on terminals that have them, unless NO_COLOR is set; FORCE_COLOR is for pipes, too. */
export function hasColours(stream: object, environment: Readonly<Record<string, string | undefined>>): boolean {
  const isTerminal = 'isTTY' in stream && stream.isTTY === true;
  if (!isTerminal && environment['FORCE_COLOR'] === undefined) return false;
  return WriteStream.prototype.getColorDepth.call(stream, environment) > 1;
}

function styledAs(style: Style, text: string): StyledText {
  return new StyledText([{ text: oneLine(text), style }]);
}

function partsOf(text: Text): readonly Part[] {
  return typeof text === 'string' ? [{ text, style: null }] : text.parts;
}

function escaped(style: Style, text: string): string {
  return styleText(style, text, { validateStream: false });
}
