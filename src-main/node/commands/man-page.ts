import { everyCommand, shownOptions, type Argument, type CommandNode, type ShownOption } from '../command.ts';

/** Written by `npm run release`: the page is the same whenever it is printed. */
const RELEASED = '2026-11-28';
/** The limit of mandoc for a line of text. */
const MAX_LINE = 80;

/** The manual page in roff (man(7)), for `man -l -`. */
export function manPage(program: CommandNode, version: string): string {
  const commands = [...everyCommand(program)].filter(
    ({ path, commands: below }) => path.length > 0 && below.length === 0,
  );
  return [
    `.TH BROADSHEET 1 "${RELEASED}" "Broadsheet ${text(version)}" "User Commands"`,
    '.SH NAME',
    `broadsheet \\- ${text(lower(program.about))}`,
    '.SH SYNOPSIS',
    '.B broadsheet',
    '.I command',
    '.RI [ options ]',
    '.SH COMMANDS',
    ...commands.flatMap(commandText),
    '.SH OPTIONS',
    'For every command, before and after it:',
    ...shownOptions(program).flatMap(optionText),
    '.SH ENVIRONMENT AND EXIT STATUS',
    ...paragraphs(program.help.trim()),
    '.SH SEE ALSO',
    "The reference in Broadsheet's folder docs, file command-line.md.",
    '',
  ].join('\n');
}

function commandText(command: CommandNode): string[] {
  const args = Object.entries(command.args);
  const own = shownOptions(command).filter(({ names }) => !names.includes('--help'));
  const notes = command.help.trim();
  return [
    `.SS ${[command.path.map(text).join(' '), ...args.map(argumentName)].join(' ')}`,
    ...fillLines(sentence(command.about)),
    ...args.flatMap(argumentText),
    ...own.flatMap(optionText),
    ...(notes === '' ? [] : ['.PP', ...paragraphs(notes)]),
  ];
}

function argumentName([key, { name = key, optional, several }]: [string, Argument<unknown>]): string {
  const shown = `\\fI${text(name)}\\fR${several ? '...' : ''}`;
  return optional ? `[${shown}]` : shown;
}

function argumentText([key, { name = key, about, choices = [] }]: [string, Argument<unknown>]): string[] {
  return ['.TP', `\\fI${text(name)}\\fR`, ...fillLines(sentence(withChoices(about, choices)))];
}

function optionText({ names, value, about, choices }: ShownOption): string[] {
  const shown = names.map((name) => `\\fB${text(name)}\\fR`).join(', ');
  const tag = value === undefined ? shown : `${shown} \\fI${text(value)}\\fR`;
  return ['.TP', tag, ...fillLines(sentence(withChoices(about, choices)))];
}

function withChoices(about: string, choices: readonly string[]): string {
  return choices.length > 0 ? `${about}: ${choices.join(', ')}` : about;
}

/** Indented lines keep their breaks and spaces. */
function paragraphs(notes: string): string[] {
  const lines = notes.split('\n');
  return lines.flatMap((line, index) => {
    const isShown = /^\s/.test(line);
    const wasShown = /^\s/.test(lines[index - 1] ?? '');
    const change = isShown === wasShown ? [] : isShown ? ['.RS 2', '.nf'] : ['.fi', '.RE'];
    const end = isShown && index === lines.length - 1 ? ['.fi', '.RE'] : [];
    return [...change, ...(isShown ? [text(line.trim())] : fillLines(line)), ...end];
  });
}

function fillLines(words: string): string[] {
  const lines: string[] = [];
  for (const word of words.split(/\s+/)) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && text(longer).length <= MAX_LINE) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map(text);
}

/** Escapes points and apostrophes, which begin macros, and minus signs. Names non-ASCII, as groff reads Latin 1. */
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
