import { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { isoMinute } from '../common/time.ts';
import type { StorageWarning } from '../contract/model/sync-status.ts';

/** Characters that could move the cursor, set a title or disguise an address. */
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu;
const SPACES = /[\t\n\r\u2028\u2029]+/g;

/** Makes a text safe to print. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(SPACES, ' ').replace(UNSAFE, '\uFFFD');
}

/** Like {@link oneLine}, but keeps line breaks. */
export function severalLines(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map(oneLine)
    .join('\n');
}

/** Writes JSON on one line with control characters escaped, which parses to the same value. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Shows a time in the local zone, to the minute, and an invalid one unchanged. */
export function localTime(time: string | null): string {
  if (time === null) return '-';
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? oneLine(time) : isoMinute(ms, -new Date(ms).getTimezoneOffset());
}

type Style = 'bold' | 'dim' | 'red' | 'yellow';

interface Part {
  text: string;
  style: Style | null;
}

/** Lines that are safe to print, with styles that only a terminal shows. */
export class StyledText {
  readonly parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }

  toString(): string {
    return this.parts.map(({ text }) => text).join('');
  }

  withColours(): string {
    return this.parts
      .map(({ text, style }) => (style && text !== '' ? styleText(style, text, { validateStream: false }) : text))
      .join('');
  }
}

export type Text = string | StyledText;

const styleAs = (style: Style) => (text: string) => new StyledText([{ text: oneLine(text), style }]);

export const bold = styleAs('bold');
export const dim = styleAs('dim');
export const red = styleAs('red');
export const yellow = styleAs('yellow');

/** Makes a line of texts, which are made safe to print, and of styled ones. */
export function line(words: TemplateStringsArray, ...values: readonly Text[]): StyledText {
  return new StyledText(
    words.flatMap((text, index) => {
      const value = values[index];
      const plain = { text, style: null };
      return value === undefined ? [plain] : [plain, ...partsOf(typeof value === 'string' ? oneLine(value) : value)];
    }),
  );
}

/** Joins lines. Strings among them must be safe to print. */
export function lines(all: readonly Text[]): StyledText {
  return new StyledText(
    all.flatMap((one, index) => [...(index === 0 ? [] : [{ text: '\n', style: null }]), ...partsOf(one)]),
  );
}

/** Follows Node's rules: NO_COLOR turns them off, FORCE_COLOR is for pipes, too. */
export function hasColours(stream: object, environment: Readonly<Record<string, string | undefined>>): boolean {
  const isTerminal = 'isTTY' in stream && stream.isTTY === true;
  if (!isTerminal && environment['FORCE_COLOR'] === undefined) return false;
  return WriteStream.prototype.getColorDepth.call(stream, environment) > 1;
}

function partsOf(text: Text): readonly Part[] {
  return typeof text === 'string' ? [{ text, style: null }] : text.parts;
}

const WORDS: Readonly<Record<string, string>> = { selected: 'picks', hotTopics: 'hot' };

/** Returns the name that `list` takes for a resource or value of the code, which JSON keeps (docs/decisions/162). */
export function wordOf(name: string): string {
  return WORDS[name] ?? name;
}

const SETTINGS = 'settings.json';

const LOST: Readonly<Record<string, string>> = {
  'mirror.db': ' The news is downloaded again, except what the news service no longer offers.',
};

export function warningText(warning: StorageWarning): string {
  const { file, reason, setAsideAs, backup } = warning;
  // Files of a newer version stay in place only if they are settings.
  if (setAsideAs === null && reason === 'newer') {
    return `${file} was written by a newer version of Broadsheet. Known settings are used, and the file is not changed.`;
  }
  const end = ` To end this message, run \`broadsheet data dismiss ${setAsideAs ?? file}\`.`;
  if (file === SETTINGS) return settingsText(warning) + (setAsideAs === null ? '' : end);
  if (reason === 'unreadable') {
    return `${file} is missing or cannot be read. The rest is shown. To replace it, start Broadsheet or run \`broadsheet sync\`.`;
  }
  if (reason === 'put-back') return `${file} was in the place of another file and was moved back.`;
  const what = reason === 'missing' ? `${file} was missing and` : `${file} could not be used (${reason}) and`;
  const aside = setAsideAs === null ? '' : ` The old file was renamed to ${setAsideAs}.`;
  const copy = backup === undefined ? '' : ` To restore the latest backup, run \`broadsheet data restore ${backup}\`.`;
  return `${what} was replaced with a new one.${LOST[file] ?? ''}${aside}${copy}${end}`;
}

function settingsText({ reason, setAsideAs, members }: StorageWarning): string {
  const used = 'The last known settings are used.';
  if (members) return `${SETTINGS} has values that cannot be used: ${members.join(', ')}. ${used}`;
  if (setAsideAs === null) return `${SETTINGS} cannot be read and is left unchanged (${reason}). ${used}`;
  return `${SETTINGS} could not be used (${reason}) and was renamed to ${setAsideAs}. ${used}`;
}
