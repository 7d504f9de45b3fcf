import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everyCommand } from '../../src-main/node/command.ts';
import { programTree } from '../../src-main/node/command-table.ts';
import { temporaryFolder } from '../support/folders.ts';
import { openOnce } from '../support/open-once.ts';
import { openHome } from './home.ts';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const REFERENCE = 'docs/command-line.md';
const DOCUMENTS = [
  'README.md',
  REFERENCE,
  'docs/exports.md',
  'docs/data-folder.md',
  'docs/models.md',
  'docs/settings.md',
  'docs/user-data.md',
];

/** They serve until they are stopped, change this computer, or need a gateway, a damaged file or a program. Their help is printed instead. */
const NOT_RUN = /^(?:serve|mcp|service|hook|settings set api-key|data dismiss)\b/;
const PLACEHOLDER = /\b[A-Z]{2,}\b|[<…]|\w\|\w/;

/** The commands in the code of a document, in its order. */
function commandsIn(text: string): string[][] {
  const code = [...text.matchAll(/```\n([^]*?)```|`([^`\n]+)`/g)].flatMap(([, block, inline]) => block ?? inline ?? '');
  const found = code.flatMap((part) =>
    [...part.matchAll(/(?:npm run -s broadsheet --|\bbroadsheet) ([a-z][^\n]*)/g)].map(([, line = '']) => line),
  );
  return found.flatMap((line) =>
    line.split(/ && broadsheet /).map((one) => wordsOf(one.replace(/ +(?:#.*|[|<>]+ .*)$/, ''))),
  );
}

/** As a shell understands them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

const standing = openOnce(async (atEnd) => {
  const environment = { BROWSER: 'none' };
  const empty = await openHome({ content: { selected: 60, unselected: 60, days: 40 }, environment, atEnd });
  const synced = empty.copy(atEnd);
  await synced.run('sync', '--all');
  return { empty, synced };
});

describe('the commands of a document work as they are written, one after the other, in a new home', () => {
  it.each(DOCUMENTS)('%s', async (name) => {
    const { run, lines } = standing()[name === 'README.md' ? 'empty' : 'synced'].copy();
    const folder = temporaryFolder();
    /** The month of the newest daily: a document has that of the day on which it was written. */
    const month = async (): Promise<string> => {
      const [newest] = await lines<{ label: string }>('list', 'dailies', '--limit', '1');
      return newest?.label.slice(0, 7) ?? '';
    };
    const commands = commandsIn(read(name));
    expect(commands.length).toBeGreaterThan(0);
    for (const words of commands) {
      const line = words.join(' ');
      const path = pathOf(words);
      const isExample =
        PATHS.has(path.join(' ')) && !NOT_RUN.test(line) && !words.some((word) => PLACEHOLDER.test(word));
      const out = words.indexOf('--out');
      const file = out === -1 ? null : join(folder, (words[out + 1] ?? '').replace(/^~\/feeds/, ''));
      const given = words.map((word, at) => (words[at - 1] === '--out' ? (file ?? word) : word));
      const latest = words.includes('--month') ? await month() : '';
      const dated = given.map((word, at) => (given[at - 1] === '--month' ? latest : word));
      const args = isExample ? dated : [...path, '--help'];
      const { code, err } = await run(...args);
      expect({ line, code, err: code === 0 ? '' : err }).toEqual({ line, code: 0, err: '' });
      if (isExample && file !== null) expect(existsSync(file), line).toBe(true);
    }
  });
});

const PATHS = new Set(
  [...everyCommand(programTree())].flatMap(({ path, commands, choice }) =>
    commands.length > 0
      ? []
      : choice
        ? [
            ...Object.keys(choice.rows).map((row) => [...path, row].join(' ')),
            ...(choice.alone ? [path.join(' ')] : []),
          ]
        : [path.join(' ')],
  ),
);

function pathOf(words: readonly string[]): readonly string[] {
  return [2, 1].map((length) => words.slice(0, length)).find((some) => PATHS.has(some.join(' '))) ?? words;
}

describe(REFERENCE, () => {
  const [, block = ''] = /```\n([^]*?)```/.exec(read(REFERENCE)) ?? [];

  it('has every command, and no other', () => {
    const lines = block.split('\n').filter((row) => /^ {2}\S/.test(row));
    const commands = lines.flatMap((row) => row.trim().split(/ {2,}/)[0]?.split(' · ') ?? []).flatMap(eachOf);
    expect(new Set(commands.map((one) => pathOf(one.split(' ')).join(' ')))).toEqual(PATHS);
  });

  it('has every option, and no other', () => {
    const named = new Set(block.match(/--[a-z][a-z-]+/g));
    const options = [...everyCommand(programTree())].flatMap(({ options, choice }) => [
      ...Object.keys(options),
      ...Object.values(choice?.rows ?? {}).flatMap((row) => Object.keys(row.options ?? {})),
    ]);
    expect([...named].filter((name) => !options.includes(name.replace(/^--(?:no-)?/, '')))).toEqual([]);
    expect([...new Set(options)].filter((name) => !named.has(`--${name}`))).toEqual([]);
  });
});

/** `list <items|picks>` is two commands; the words after `mark` are its argument. */
function eachOf(command: string): string[] {
  const [, before = '', words] = /^([a-z]+ )<([a-z|-]+)>/.exec(command) ?? [];
  return words === undefined || before === 'mark ' ? [command] : words.split('|').map((word) => `${before}${word}`);
}
