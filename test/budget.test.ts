import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** In lines, comments included. A change that makes a folder lighter lowers its budget. */
const BUDGET: Record<string, number> = {
  'src-main/clients': 3_020,
  'src-main/common': 2_880,
  'src-main/contract': 3_195,
  'src-main/core': 4_240,
  'src-main/demo': 3_170,
  'src-main/electron': 3_045,
  'src-main/mcp': 1_500,
  'src-main/node': 7_320,
  'src-main/preload': 40,
  'src-main/render': 1_960,
  'src-main/store': 14_010,
  'src-main/sync': 7_610,
  'src-renderer/api': 770,
  'src-renderer/app': 4_740,
  'src-renderer/charts': 1_010,
  'src-renderer/features': 22_015,
  'src-renderer/public': 50,
  'src-renderer/styles': 1_170,
  'src-renderer/ui': 5_255,
  scripts: 3_335,
  test: 83_100,
};
const MAX_DEPTH = { main: 2, renderer: 3 };
const MIN_LINES_A_FILE = 115;
const MAX_COMMENT_PERCENT = 6.6;
/** A budget may be this much above what is there. */
const SLACK = 1.1;
const SLACK_LINES = 100;

interface CodeFile {
  path: string;
  text: string;
  /** In lines, as `comments`. */
  code: number;
  comments: number;
}

interface Weight {
  files: number;
  lines: number;
  /** Comments among the lines that are not empty. */
  commentPercent: number;
  /** As file and line. */
  bannedOpenings: string[];
}

function codeFiles(...folders: string[]): CodeFile[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*.{ts,svelte,css,js,mjs}`),
    { cwd: ROOT },
  )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('/i18n/compiled/'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return { path, text, ...lineCounts(text) };
    });
}

function weightOf(files: readonly CodeFile[]): Weight {
  const sum = (of: (file: CodeFile) => number): number => files.reduce((total, file) => total + of(file), 0);
  const comments = sum((file) => file.comments);
  return {
    files: files.length,
    lines: sum(({ text }) => text.split('\n').length - 1),
    commentPercent: (100 * comments) / (sum((file) => file.code) + comments),
    bannedOpenings: files.flatMap(({ path, text }) => bannedOpenings(text).map((line) => `${path}:${line}`)),
  };
}

/** Empty lines are neither code nor comments. */
function lineCounts(text: string): { code: number; comments: number } {
  let code = 0;
  let comments = 0;
  /** The end of the block comment that a line is in. */
  let end: string | null = null;
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    if (end === null && line.startsWith('/*')) end = '*/';
    else if (end === null && line.startsWith('<!--')) end = '-->';
    const isComment = end !== null ? !line.includes(end) || line.endsWith(end) : line.startsWith('//');
    if (isComment) comments += 1;
    else code += 1;
    if (end !== null && line.includes(end)) end = null;
  }
  return { code, comments };
}

/** Returns line numbers. Only the first of several lines with `//` begins a comment. */
function bannedOpenings(text: string): number[] {
  const openings = /(?:\/\*\*?|<!--|(?<!^[ \t]*\/\/.*\n[ \t]*)\/\/)[\s*]*(?:What|Whether|Of|Its|Answers|Who)\b/gm;
  return [...text.matchAll(openings)].map(({ index }) => text.slice(0, index).split('\n').length);
}

describe('the weight of the code', () => {
  const product = codeFiles('src-main', 'src-renderer');
  const folders = Object.groupBy(product, ({ path }) => path.split('/').slice(0, 2).join('/'));
  const others = { scripts: codeFiles('scripts'), test: codeFiles('test') };
  const lines = Object.fromEntries(
    Object.entries({ ...folders, ...others }).map(([name, files]): [string, number] => [name, weightOf(files).lines]),
  );

  it('is within the budget of each folder', () => {
    const over = Object.entries(lines)
      .filter(([name, size]) => !name.includes('.') && size > (BUDGET[name] ?? 0))
      .map(([name, size]) => `${name}: ${size} lines, with a budget of ${BUDGET[name] ?? 0} in test/budget.test.ts`);
    expect(over).toEqual([]);
  });

  it('has no budget for more than a tenth above what a folder has: lower it', () => {
    const loose = Object.entries(BUDGET).filter(([name, most]) => most > (lines[name] ?? 0) * SLACK + SLACK_LINES);
    expect(loose).toEqual([]);
  });

  it('has no comments that begin with What, Whether, Of, Its, Answers or Who', () => {
    expect(weightOf([...product, ...others.scripts, ...others.test]).bannedOpenings).toEqual([]);
  });

  it('has files that are one thing, in folders that can be found', () => {
    const { files, lines: all, commentPercent } = weightOf(product);
    const depths = (root: string): number[] =>
      product.filter(({ path }) => path.startsWith(root)).map(({ path }) => path.split('/').length - 2);
    expect(Math.max(...depths('src-main/'))).toBeLessThanOrEqual(MAX_DEPTH.main);
    expect(Math.max(...depths('src-renderer/'))).toBeLessThanOrEqual(MAX_DEPTH.renderer);
    expect(Math.round(all / files)).toBeGreaterThanOrEqual(MIN_LINES_A_FILE);
    expect(Math.round(10 * commentPercent) / 10).toBeLessThanOrEqual(MAX_COMMENT_PERCENT);
  });
});

describe('the counts', () => {
  it('tell code from comments, also in components and styles', () => {
    const text = [
      "import x from './x.ts'; // beside code",
      '',
      '/** one line */',
      '/**',
      ' * two',
      ' */',
      '<!-- markup -->',
      '/* before */ code();',
      '// alone',
    ];
    expect(lineCounts(text.join('\n'))).toEqual({ code: 2, comments: 6 });
  });

  it('find the openings of comments that say nothing', () => {
    const [mark, end] = ['/**', '*/'];
    const comment = (text: string): string => `${mark} ${text} ${end}\n`;
    const banned = ['What', 'Whether', 'Of', 'Its', 'Answers', 'Who'].map((word) => comment(`${word} it is.`));
    expect(bannedOpenings(banned.join('const a = 1;\n'))).toEqual([1, 3, 5, 7, 9, 11]);
    expect(bannedOpenings(`  ${mark}\n   * Whether it is.\n   ${end}\n`)).toEqual([1]);
    expect(bannedOpenings(`${comment('Returns what it is. Whether it is.')}${comment('Offers.')}`)).toEqual([]);
    const [line, markup, style] = ['//', '<!--', '/*'];
    expect(
      bannedOpenings(`a();\n${line} What it is.\nb(); ${line} Of it.\n${line} Offers\n${line} What it is.\n`),
    ).toEqual([2, 3]);
    expect(bannedOpenings(`<p>a</p>\n${markup} What it is. -->\n${style} Its colour. ${end}\n`)).toEqual([2, 3]);
  });
});

describe('the documents', () => {
  /** One fact a line, or figures that a program wrote. */
  const exempt = /^docs\/(?:requirements\/|(?:performance|scale|soak)\.md)/;

  it('are wrapped at 100 characters, except tables and code', () => {
    const files = globSync(['*.md', 'docs/**/*.md']).map((file) => file.replaceAll('\\', '/'));
    const wide = files
      .filter((file) => !exempt.test(file))
      .flatMap((file) => {
        const prose = readFileSync(file, 'utf8').replace(/^ *```[^]*?^ *```$/gm, '');
        return prose.split('\n').flatMap((line) => (line.length > 100 && !/^ *\|/.test(line) ? [[file, line]] : []));
      });
    expect(files.length).toBeGreaterThan(60);
    expect(wide).toEqual([]);
  });

  it('tell readers what changed in at most 60 lines a version', () => {
    const versions = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m).slice(1);
    expect(versions.filter((version) => version.trimEnd().split('\n').length > 60)).toEqual([]);
  });
});
