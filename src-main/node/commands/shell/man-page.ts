import { everyCommand, type ArgumentDescription, type CommandDescription, type OptionDescription } from './describe.ts';

/** When the version was released, as in CHANGELOG.md: the page is the same whenever it is printed. */
const RELEASED = '2026-11-20';
/** What mandoc allows a line of text. */
const LONGEST_LINE = 80;

interface ManOptions {
  version: string;
}

/** The manual page in roff (man(7)), for `man -l -`. */
export function manPage(program: CommandDescription, { version }: ManOptions): string {
  const commands = [...everyCommand(program)].filter(
    ({ path, commands: below }) => path.length > 0 && below.length === 0,
  );
  return [
    `.TH BROADSHEET 1 "${RELEASED}" "Broadsheet ${text(version)}" "User Commands"`,
    '.SH NAME',
    `broadsheet \\- ${text(lower(program.description))}`,
    '.SH SYNOPSIS',
    '.B broadsheet',
    '.I command',
    '.RI [ options ]',
    '.SH COMMANDS',
    ...commands.flatMap(commandText),
    '.SH OPTIONS',
    'For every command, before and after it:',
    ...program.options.flatMap(optionText),
    '.SH ENVIRONMENT AND EXIT STATUS',
    ...paragraphs(program.notes),
    '.SH SEE ALSO',
    "The reference in Broadsheet's folder docs, file command-line.md.",
    '',
  ].join('\n');
}

function commandText({ path, description, arguments: given, options, notes }: CommandDescription): string[] {
  const own = options.filter(({ names }) => !names.includes('--help'));
  const lines = [
    `.SS ${[path.map(text).join(' '), ...given.map(argumentName)].join(' ')}`,
    ...filled(sentence(description)),
  ];
  return [
    ...lines,
    ...given.flatMap(argumentText),
    ...own.flatMap(optionText),
    ...(notes === '' ? [] : ['.PP', ...paragraphs(notes)]),
  ];
}

function argumentName({ name, required, variadic }: ArgumentDescription): string {
  const shown = `\\fI${text(name)}\\fR${variadic ? '...' : ''}`;
  return required ? shown : `[${shown}]`;
}

function argumentText({ name, description, choices }: ArgumentDescription): string[] {
  const shown = choices.length > 0 ? `: ${choices.join(', ')}` : '';
  return ['.TP', `\\fI${text(name)}\\fR`, ...filled(sentence(`${description}${shown}`))];
}

function optionText({ names, value, description }: OptionDescription): string[] {
  const shown = names.map((name) => `\\fB${text(name)}\\fR`).join(', ');
  const choices = value && value.words.length > 0 ? `: ${value.words.join(', ')}` : '';
  const tag = value ? `${shown} \\fI${text(value.name)}\\fR` : shown;
  return ['.TP', tag, ...filled(sentence(`${description}${choices}`))];
}

/** Indented lines keep their breaks and spaces. */
function paragraphs(notes: string): string[] {
  const lines = notes.split('\n');
  return lines.flatMap((line, index) => {
    const isShown = /^\s/.test(line);
    const wasShown = /^\s/.test(lines[index - 1] ?? '');
    const change = isShown === wasShown ? [] : isShown ? ['.RS 2', '.nf'] : ['.fi', '.RE'];
    const end = isShown && index === lines.length - 1 ? ['.fi', '.RE'] : [];
    return [...change, ...(isShown ? [text(line.trim())] : filled(line)), ...end];
  });
}

/** Text that is filled: its lines may break anywhere. */
function filled(words: string): string[] {
  const lines: string[] = [];
  for (const word of words.split(/\s+/)) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && text(longer).length <= LONGEST_LINE) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map(text);
}

/**
 * Texts are no macros: a point or an apostrophe at the start of a line would be one, a minus would become a hyphen. Other
 * than ASCII is named, because groff reads Latin 1.
 */
function text(words: string): string {
  const safe = words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('\n', ' ');
  const ascii = safe.replace(
    /[^\x20-\x7e]/gu,
    (sign) => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
  return /^[.']/.test(ascii) ? `\\&${ascii}` : ascii;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.:]$/.test(words) ? '' : '.'}`;
}

function lower(words: string): string {
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`.replace(/\.$/, '');
}
