import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mainFolders, rendererFolders } from '../support/layering/import-rules.ts';

const text = readFileSync('docs/architecture.md', 'utf8');
const SHARED = ['contract', 'common'];

const foldersIn = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** Lists the names in backticks. */
const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** Lists the folders of the tree below `root`, each with its description. */
function treeOf(root: string): Map<string, string> {
  const [, lines = ''] = new RegExp(`\\n${root}/\\n((?: {2}.*\\n)+)`).exec(text) ?? [];
  const entries = [...lines.matchAll(/^ {2}([\w-]+)\/ +(.*(?:\n {6,}.*)*)/gm)];
  return new Map(entries.map(([, name = '', description = '']) => [name, description]));
}

describe('the description of the architecture', () => {
  it.each(['src-main', 'src-renderer'])(
    'lists every folder of %s that has code, and nothing that is not there',
    (root) => {
      const tree = treeOf(root);
      const withCode = foldersIn(root).filter((name) => name !== 'public');
      expect([...tree.keys()].sort()).toEqual(withCode.sort());
      for (const [name, description] of tree) {
        const named = [...description.matchAll(/([\w-]+)\/(?=[\s,;:.]|$)/g)].map(([, folder = '']) => folder);
        const files = [...description.matchAll(/(?<![\w*-])[\w-]+(?:\.svelte)?\.ts\b/g)].map(([file]) => file);
        const isThere = (path: string): boolean => existsSync(`${root}/${name}/${path}`);
        const missing = [...named, ...files].filter((path) => !isThere(path));
        expect({ name, missing }).toEqual({ name, missing: [] });
      }
    },
  );

  it.each(['architecture', 'recipes'])('names only files that exist in docs/%s.md', (document) => {
    const prose = readFileSync(`docs/${document}.md`, 'utf8').replaceAll(/^```[^]*?^```$/gm, '');
    const files = namesIn(prose).filter((name) => /^[\w/-]+\/[a-z][\w.-]+\.(ts|svelte|mjs|json)$/i.test(name));
    expect(files).toContain('core/reads.ts');
    const roots = ['', 'src-main/', 'src-renderer/'];
    const missing = files.filter(
      (file) => !/NAME|-002\.ts/.test(file) && !roots.some((root) => existsSync(root + file)),
    );
    expect(missing).toEqual([]);
  });

  it('tells the import rules that are enforced', () => {
    const rows = [...text.matchAll(/^\| (`.*) \| (.*) \|$/gm)].flatMap(([, folders = '', others = '']) =>
      namesIn(folders).map((folder) => [folder, namesIn(others).sort()] as const),
    );
    const enforced = Object.entries(mainFolders).filter(([folder]) => !SHARED.includes(folder));
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries(enforced.map(([folder, others]) => [folder, [...others].sort()])),
    );
    expect(SHARED.flatMap((folder) => mainFolders[folder] ?? [folder])).toEqual([]);
    expect(text).toContain('In the page, `app` → `features` → `ui`, `charts`.');
    expect(rendererFolders).toMatchObject({ features: ['charts', 'ui', 'api'], charts: ['ui'], ui: ['api'] });
  });
});

describe('the decisions', () => {
  it('are there wherever code, tests and documents name one', () => {
    const known = new Set(readdirSync('docs/decisions').map((name) => name.slice(0, 3)));
    const unknown = globSync(['{src-main,src-renderer,scripts,test,docs}/**/*.{ts,mjs,svelte,css,md}', '*.md'])
      .filter((file) => !file.includes('node_modules'))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/decisions\/(\d{3}(?:, \d{3})*)\b/g)]
          .flatMap(([, numbers = '']) => numbers.split(', '))
          .filter((number) => !known.has(number))
          .map((number) => `${file}: ${number}`),
      );
    expect(unknown).toEqual([]);
  });
});
