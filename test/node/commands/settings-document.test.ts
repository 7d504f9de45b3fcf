import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rowsIn, settingsSections, textsOf } from '../../../src-main/common/i18n/settings-texts.ts';
import { SETTINGS, SETTINGS_SECTIONS } from '../../../src-main/contract/settings.ts';
import {
  allowedText,
  defaultAt,
  SETTING_PATHS,
  settingText,
  type SettingPath,
} from '../../../src-main/node/commands/setting-values.ts';

const FILE = new URL('../../../docs/settings.md', import.meta.url);
const HEAD = '| In the app | Name | Values | Default | Devices share it |\n|---|---|---|---|---|\n';
const ENGLISH = { locale: 'en' } as const;

const ROWS = SETTINGS_SECTIONS.flatMap(rowsIn);

function rowOf(path: SettingPath): string {
  const { section, ...traits } = SETTINGS[path.setting];
  const row = ROWS.find((name) => name === path.name);
  const title = section === null ? '' : settingsSections[section]({}, ENGLISH);
  const inApp = row ? `${title}: ${textsOf(row).label({}, ENGLISH)}` : title;
  const usual = `\`${settingText(defaultAt(path))}\``;
  return `| ${inApp} | \`${path.name}\` | ${allowedText(path.shape)} | ${usual} | ${'shared' in traits ? 'yes' : ''} |\n`;
}

// After a change of the table: npm test -- --update=true test/node/commands/settings-document.test.ts
it('the document lists every setting, its values and its default', async () => {
  const text = readFileSync(FILE, 'utf8');
  const table = /^\| In the app \|.*\n\|.*\n(?:\|.*\n)*/m;
  expect(text).toMatch(table);
  await expect(text.replace(table, () => HEAD + SETTING_PATHS.map(rowOf).join(''))).toMatchFileSnapshot(FILE.pathname);
});
