import { everyCommand, type ArgumentDescription, type CommandDescription, type OptionDescription } from './describe.ts';

interface ManOptions {
  version: string;
}

/** The manual page in roff (man(7)), for `man -l -`. */
export function manPage(program: CommandDescription, { version }: ManOptions): string {
  const commands = [...everyCommand(program)].filter(
    ({ path, commands: below }) => path.length > 0 && below.length === 0,
  );
  return [
    `.TH BROADSHEET 1 "" "Broadsheet ${text(version)}" "User Commands"`,
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
    text(sentence(description)),
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
  return ['.TP', `\\fI${text(name)}\\fR`, text(sentence(`${description}${shown}`))];
}

function optionText({ names, value, description }: OptionDescription): string[] {
  const shown = names.map((name) => `\\fB${text(name)}\\fR`).join(', ');
  const choices = value && value.words.length > 0 ? `: ${value.words.join(', ')}` : '';
  return ['.TP', value ? `${shown} \\fI${text(value.name)}\\fR` : shown, text(sentence(`${description}${choices}`))];
}

/** Indented lines keep their breaks and spaces. */
function paragraphs(notes: string): string[] {
  const lines = notes.split('\n');
  return lines.flatMap((line, index) => {
    const isShown = /^\s/.test(line);
    const wasShown = /^\s/.test(lines[index - 1] ?? '');
    const change = isShown === wasShown ? [] : isShown ? ['.RS 2', '.nf'] : ['.fi', '.RE'];
    const end = isShown && index === lines.length - 1 ? ['.fi', '.RE'] : [];
    return [...change, text(isShown ? line.trim() : line), ...end];
  });
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
