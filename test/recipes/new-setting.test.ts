import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorsWith, insertAfter, type Patches } from '../support/patched-program.ts';

const TABLE = 'src-main/contract/settings.ts';
const TEXTS = 'src-main/common/i18n/settings-texts.ts';
const ACTS = 'src-main/sync/engine/made-up-effect.ts';
/** All that knows every setting: nothing else may need a change. */
const AFFECTED = [
  TABLE,
  TEXTS,
  'src-main/contract/guards.ts',
  'src-main/core/settings/settings-file.ts',
  'src-main/node/commands/setting-values.ts',
  'src-main/store/devices/shared-settings.ts',
  'src-main/sync/engine/types.ts',
];

const row = (usual = "'few'"): Patches => ({
  [TABLE]: insertAfter(
    'export const SETTINGS = {',
    `madeUp: setting('advanced', choice('few', 'many'), ${usual}, { shared: true, engine: true }),`,
  ),
});
/** With any messages: those of a real setting are in the message files. */
const texts = (choices = 'few: m.settings_title, many: m.settings_title'): Patches => ({
  [TEXTS]: insertAfter(
    'export const SETTING_TEXTS = {',
    `madeUp: { label: m.settings_title, choices: { ${choices} } },`,
  ),
});
const acts: Patches = {
  [ACTS]: `import type { SharedSettings } from '../../contract/settings.ts';
import type { EngineSettings } from './types.ts';
export const most = ({ madeUp }: EngineSettings): number => ({ few: 1, many: 9 })[madeUp];
export const isShared = ({ madeUp }: SharedSettings): boolean => madeUp === 'few';`,
};

describe('a new setting', { timeout: 120_000 }, () => {
  it('takes a row, its texts, and where it acts, in the files that the recipe names', () => {
    expect(errorsWith({ ...row(), ...texts(), ...acts }, [...AFFECTED, ACTS])).toEqual([]);
    const recipe = /## A new setting\n([\s\S]*?)\n## /.exec(readFileSync('docs/recipes.md', 'utf8'))?.[1] ?? '';
    for (const file of [TABLE, TEXTS]) expect(recipe).toContain(`\`${file.replace('src-main/', '')}\``);
  });

  it.each<[what: string, patches: Patches, file: string]>([
    ['without its texts', row(), TEXTS],
    ['without the text of a choice', { ...row(), ...texts('few: m.settings_title') }, TEXTS],
    ['without its row', texts(), TEXTS],
    ['with a default that it cannot have', { ...row("'some'"), ...texts() }, TABLE],
  ])('does not compile %s', (_what, patches, file) => {
    expect(errorsWith(patches, [file])).not.toEqual([]);
  });
});
