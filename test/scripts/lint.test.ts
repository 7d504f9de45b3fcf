import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lintFiles } from '../../scripts/lint/lint.mjs';

const config = `
import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';

const parserOptions = { projectService: true, tsconfigRootDir: import.meta.dirname, extraFileExtensions: ['.svelte'] };
export default ts.config(
  {
    files: ['**/*.ts'],
    plugins: { '@typescript-eslint': ts.plugin },
    languageOptions: { parser: ts.parser, parserOptions },
    rules: { '@typescript-eslint/no-floating-promises': 'error' },
  },
  ...svelte.configs.base,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { ...parserOptions, parser: ts.parser } },
    rules: { 'svelte/no-unused-props': ['error', { checkImportedTypes: true }] },
  },
  { files: ['**/*.mjs'], rules: { eqeqeq: 'error' } },
);
`;

const project: Record<string, string> = {
  'package.json': '{ "type": "module" }',
  'eslint.config.js': config,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{ module: 'ESNext', moduleResolution: 'Bundler', target: 'ES2024', types: ['svelte'], strict: true },
      ...{ allowImportingTsExtensions: true, noEmit: true, skipLibCheck: true },
    },
    include: ['.'],
  }),
  'far.ts': 'export function far(): number {\n  return 1;\n}\n',
  'near.ts': "import { far } from './far.ts';\n\nexport const near = () => far();\n",
  'user.ts': "import { near } from './near.ts';\n\nnear();\n",
  'state.svelte.ts': 'export class Counter {\n  count = $state(0);\n}\n',
  'props.ts': 'export interface Props {\n  title: string;\n}\n',
  'Part.svelte':
    '<script lang="ts">\n  import type { Props } from \'./props.ts\';\n\n  const { title }: Props = $props();\n</script>\n\n{title}\n',
  'alone.ts': 'export const alone = 1;\n',
  'script.mjs': 'export const isOne = (a) => a === 1;\n',
};
const files = Object.keys(project).filter((name) => /^(?!eslint).*\.(?:ts|svelte|mjs)$/.test(name));

describe('the lint of what changed', { timeout: 60_000 }, () => {
  let root: string;
  const cacheFile = () => join(root, '.cache', 'lint');
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  const run = async () => {
    const { results, linted } = await lintFiles({ root, files, cacheFile: cacheFile() });
    const found = results.flatMap(({ filePath, messages }) =>
      messages.map(({ ruleId }) => `${filePath.slice(root.length + 1)} ${String(ruleId)}`),
    );
    return { found, linted };
  };

  /** After a run that linted everything. */
  let cache: string;

  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'broadsheet-lint-')));
    symlinkSync(join(import.meta.dirname, '..', '..', 'node_modules'), join(root, 'node_modules'), 'junction');
    for (const [name, text] of Object.entries(project)) write(name, text);
    expect(await run()).toEqual({ found: [], linted: files });
    cache = readFileSync(cacheFile(), 'utf8');
  });
  beforeEach(() => {
    for (const name of readdirSync(root)) if (name !== 'node_modules') rmSync(join(root, name), { recursive: true });
    for (const [name, text] of Object.entries(project)) write(name, text);
    write(join('.cache', 'lint'), cache);
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('lints every file once', async () => {
    expect(await run()).toEqual({ found: [], linted: [] });
  });

  it('finds what a type of another file made wrong, also through a file between them and in a component', async () => {
    write('far.ts', 'export async function far(): Promise<number> {\n  return 1;\n}\n');
    write('props.ts', 'export interface Props {\n  title: string;\n  unused: string;\n}\n');
    const found = ['user.ts @typescript-eslint/no-floating-promises', 'Part.svelte svelte/no-unused-props'];
    expect(await run()).toEqual({ found, linted: ['far.ts', 'near.ts', 'user.ts', 'props.ts', 'Part.svelte'] });
    // A file that failed is linted again, and one that was restored passes.
    expect(await run()).toEqual({ found, linted: ['user.ts', 'Part.svelte'] });
    write('far.ts', project['far.ts'] ?? '');
    write('props.ts', project['props.ts'] ?? '');
    expect((await run()).found).toEqual([]);
  });

  it('lints only the file itself after a change that others cannot see', async () => {
    write('far.ts', 'export function far(): number {\n  const one = 1;\n  return one;\n}\n');
    write('script.mjs', 'export const isOne = (a) => a == 1;\n');
    expect(await run()).toEqual({ found: ['script.mjs eqeqeq'], linted: ['far.ts', 'script.mjs'] });
  });

  it('follows a type through a file that only names it', async () => {
    write('deep.ts', 'export interface Deep {\n  value: Promise<number>;\n}\n');
    write('far.ts', "import type { Deep } from './deep.ts';\n\nexport declare function far(): Deep;\n");
    write('near.ts', "import { far } from './far.ts';\n\nexport const near = () => far().value;\n");
    const found = ['user.ts @typescript-eslint/no-floating-promises'];
    expect((await run()).found).toEqual(found);
    write('deep.ts', 'export interface Deep {\n  value: number;\n}\n');
    expect((await run()).found).toEqual([]);
    // The declaration is now as it was at first.
    write('near.ts', "import { far } from './far.ts';\n\nexport const near = () => Promise.resolve(far().value);\n");
    expect((await run()).found).toEqual(found);
  });

  it.each([
    ['a global declaration', 'globals.d.ts', 'declare const everywhere: number;\n'],
    ['an augmentation', 'augment.ts', "export {};\ndeclare module './far.ts' {\n  export const more: number;\n}\n"],
    ['a rule', 'eslint.config.js', `${config}\n`],
    [
      'a compiler setting',
      'tsconfig.json',
      (project['tsconfig.json'] ?? '').replace('"strict":true', '"strict":false'),
    ],
    ['a package', 'package-lock.json', '{}'],
  ])('lints everything after a change of %s', async (_what, name, text) => {
    write(name, text);
    const typed = files.filter((file) => !file.endsWith('.mjs'));
    expect((await run()).linted).toEqual(expect.arrayContaining(typed));
  });

  it('finds what a file does that now comes first for an import', async () => {
    write('near.ts', "import { far } from './place';\n\nexport const near = () => far();\n");
    write('place/index.ts', "export { far } from '../far.ts';\n");
    expect((await run()).found).toEqual([]);
    write('place.ts', 'export const far = async () => 1;\n');
    expect((await run()).found).toEqual(['user.ts @typescript-eslint/no-floating-promises']);
  });

  it.each([
    ['cut off', () => writeFileSync(cacheFile(), readFileSync(cacheFile(), 'utf8').slice(0, 200))],
    ['changed', () => writeFileSync(cacheFile(), readFileSync(cacheFile(), 'utf8').replace('alone.ts', 'users.ts'))],
  ])('lints everything after the cache was %s', async (_what, damage) => {
    damage();
    expect(await run()).toEqual({ found: [], linted: files });
  });
});
