import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDER = 'src-main/common/i18n/messages';
/** Without values, such as `{count}` or 9, in small letters. */
const plain = (text: string): string =>
  text
    .replace(/\{\w+\}|\d+|…/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

const rows = readFileSync('docs/glossary.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split('|').slice(1, -1));

it.each([
  ['English', 'en', 2],
  ['Chinese', 'zh-CN', 3],
] as const)('the interface has the words of the glossary, in %s', (_language, file, column) => {
  const messages = plain(readFileSync(`${FOLDER}/${file}.json`, 'utf8'));
  // Brackets hold no text of the interface.
  const words = rows.flatMap((cells) => (cells[column] ?? '').replace(/[(（].*?[)）]/g, '').split(/[;,:；、：/]/));
  const missing = words.map(plain).filter((word) => word !== '' && !messages.includes(word));
  expect(rows.length).toBeGreaterThan(90);
  expect(missing).toEqual([]);
});
