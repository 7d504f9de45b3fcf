import { posix } from 'node:path';
import { bannedOpenings, codeFiles, importerCounts } from './files.mjs';

/** A file below this many lines that has one importer may belong to it. */
const SHORT_FILE = 80;
/** A declaration that occurs this often should be a class by role. */
const OFTEN = 5;

/** Counts what makes the code heavy, for the budget and the decision records. */
export function count() {
  const product = [...codeFiles('src-main'), ...codeFiles('src-renderer')];
  const importers = importerCounts(product);
  const single = product.filter(({ path }) => importers.get(path) === 1);
  return {
    all: sizeOf(product),
    tests: sizeOf(codeFiles('test')),
    scripts: sizeOf(codeFiles('scripts')),
    folders: Object.fromEntries([...groupByFolder(product)].map(([folder, files]) => [folder, sizeOf(files)])),
    depth: { main: depthOf('src-main/', product), renderer: depthOf('src-renderer/', product) },
    singleImporter: {
      files: single.length,
      lines: sizeOf(single).lines,
      short: single.filter(({ code, comments }) => code + comments < SHORT_FILE).length,
    },
    methods: placesOf(methodNames(product), (name) => `'${name}'`, product),
    settings: placesOf(settingNames(product), (name) => new RegExp(`\\b${name}\\b`), product),
    css: cssCounts(product),
  };
}

/** @param {readonly import('./files.mjs').CodeFile[]} files */
function sizeOf(files) {
  const code = sum(files, (file) => file.code);
  const comments = sum(files, (file) => file.comments);
  return {
    files: files.length,
    folders: new Set(files.map(({ path }) => posix.dirname(path))).size,
    lines: sum(files, ({ text }) => text.split('\n').length - 1),
    code,
    comments,
    bannedOpenings: files.flatMap(({ path, text }) => bannedOpenings(text).map((line) => `${path}:${line}`)),
    commentPercent: Math.round((1000 * comments) / Math.max(1, code + comments)) / 10,
  };
}

/**
 * @param {string} root
 * @param {readonly import('./files.mjs').CodeFile[]} files
 */
function depthOf(root, files) {
  return Math.max(...files.filter(({ path }) => path.startsWith(root)).map(({ path }) => path.split('/').length - 2));
}

/** @param {readonly import('./files.mjs').CodeFile[]} files */
function groupByFolder(files) {
  /** @type {Map<string, import('./files.mjs').CodeFile[]>} */
  const groups = new Map();
  for (const file of files) {
    const [top = '', folder = ''] = file.path.split('/');
    const name = `${top}/${folder}`;
    groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  return groups;
}

/** @param {readonly import('./files.mjs').CodeFile[]} files */
function methodNames(files) {
  const table = textOf(files, 'src-main/contract/methods.ts');
  return [...table.matchAll(/^ {2}'([a-z]\w*\.\w+)':/gim)].map(([, name = '']) => name);
}

/** @param {readonly import('./files.mjs').CodeFile[]} files */
function settingNames(files) {
  const text = textOf(files, 'src-main/contract/settings.ts');
  const table = /^export (?:interface Settings|const SETTINGS =) \{\n(.*?)^\}/ms.exec(text)?.[1] ?? '';
  return [...table.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name = '']) => name);
}

/**
 * @param {readonly import('./files.mjs').CodeFile[]} files
 * @param {string} path
 */
function textOf(files, path) {
  const file = files.find((each) => each.path === path);
  if (!file) throw new Error(`${path} is missing: update the counts.`);
  return file.text;
}

/**
 * Counts the files of `src-main` that name each of `names`: the places to visit when one is added.
 *
 * @param {readonly string[]} names
 * @param {(name: string) => string | RegExp} pattern
 * @param {readonly import('./files.mjs').CodeFile[]} files
 */
function placesOf(names, pattern, files) {
  const core = files.filter(({ path }) => path.startsWith('src-main/'));
  const counts = names
    .map((name) => core.filter(({ text }) => text.search(escape(pattern(name))) !== -1).length)
    .sort((a, b) => a - b);
  return { names: names.length, median: counts[counts.length >> 1] ?? 0, most: counts.at(-1) ?? 0 };
}

/** @param {string | RegExp} pattern */
function escape(pattern) {
  return typeof pattern === 'string' ? new RegExp(pattern.replaceAll('.', '\\.')) : pattern;
}

/** @param {readonly import('./files.mjs').CodeFile[]} files */
function cssCounts(files) {
  const sheets = files.flatMap(({ path, text }) => {
    if (path.endsWith('.css')) return [text];
    return path.endsWith('.svelte') ? [...text.matchAll(/<style>\n(.*?)<\/style>/gs)].map(([, css = '']) => css) : [];
  });
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const sheet of sheets) {
    for (const [, declaration = ''] of sheet.matchAll(/^\s+([a-z-]+: [^;{]+);/gm)) {
      const key = declaration.replaceAll(/\s+/g, ' ');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const declarations = sum([...counts.values()], (times) => times);
  const often = sum([...counts.values()], (times) => (times >= OFTEN ? times : 0));
  return {
    lines: sum(sheets, (sheet) => sheet.split('\n').length - 1),
    declarations,
    repeatedPercent: Math.round((100 * often) / Math.max(1, declarations)),
  };
}

/**
 * @template T
 * @param {readonly T[]} values
 * @param {(value: T) => number} of
 */
function sum(values, of) {
  return values.reduce((total, value) => total + of(value), 0);
}
