import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { temporaryFolder } from './folders.ts';

type Change = (text: string) => string;
/** By path in the project: the text of a new file, or how the text of one changes, step by step. */
export type Patches = Readonly<Record<string, string | readonly Change[]>>;

/** Inserts `text` behind the only `anchor` of a file. Throws where the recipe's place is gone. */
export const insertAfter =
  (anchor: string, text: string): Change =>
  (file) => {
    const parts = file.split(anchor);
    if (parts.length !== 2) throw new Error(`${parts.length - 1} times in the file: ${anchor}`);
    return parts.join(`${anchor}${text}`);
  };

/** Inserts `text` before the only `anchor` of a file. */
export const insertBefore =
  (anchor: string, text: string): Change =>
  (file) =>
    insertAfter(anchor, '')(file).replace(anchor, () => `${text}${anchor}`);

/** Imports may stand anywhere at the top level. */
export const importing =
  (line: string): Change =>
  (file) =>
    `${line}\n${file}`;

/** All patches at once. */
export function together(all: readonly Patches[]): Patches {
  const patches: Record<string, string | readonly Change[]> = {};
  for (const [path, patch] of all.flatMap((one) => Object.entries(one))) {
    const before = patches[path];
    if (before === undefined) patches[path] = patch;
    else if (typeof before === 'string' || typeof patch === 'string') throw new Error(`Two new files: ${path}`);
    else patches[path] = [...before, ...patch];
  }
  return patches;
}

const patched = (patches: Patches): [path: string, text: string][] =>
  Object.entries(patches).map(([path, patch]) => [
    path,
    typeof patch === 'string' ? patch : patch.reduce((text, change) => change(text), readFileSync(path, 'utf8')),
  ]);

/** Files without patches, parsed once. */
const parsed = new Map<string, ts.SourceFile>();

/**
 * Compiles the program with patched copies of files, in memory. Returns the errors in these and in `files`, by default all of
 * src-main: path, code and message.
 */
export function errorsWith(patches: Patches, files = globSync('src-main/**/*.ts')): string[] {
  const config = ts.readConfigFile('tsconfig.json', (path) => readFileSync(path, 'utf8'));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, '.');
  const texts = new Map(patched(patches).map(([path, text]) => [resolve(path), text]));
  const host = ts.createCompilerHost({ ...options, noEmit: true });
  const { fileExists, getSourceFile } = host;
  host.fileExists = (path) => texts.has(resolve(path)) || fileExists(path);
  host.getSourceFile = (path, languageVersion, ...rest) => {
    const text = texts.get(resolve(path));
    if (text !== undefined) return ts.createSourceFile(path, text, languageVersion);
    const source = parsed.get(path) ?? getSourceFile(path, languageVersion, ...rest);
    if (source) parsed.set(path, source);
    return source;
  };
  const checked = new Set([...files, ...Object.keys(patches)].map((path) => resolve(path)));
  const program = ts.createProgram({ rootNames: [...checked], options: { ...options, noEmit: true }, host });
  return [...checked].flatMap((path) => {
    const source = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ code, messageText }) =>
        `${relative('.', path)}: TS${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
}

/** Runs `script` over a patched copy of the sources, and returns the JSON that it prints. Its argument is an empty folder. */
export function runPatched(patches: Patches, script: string): unknown {
  const folder = temporaryFolder();
  cpSync('src-main', join(folder, 'src-main'), { recursive: true, filter: (path) => !path.endsWith('/compiled') });
  symlinkSync(resolve('src-main/common/i18n/compiled'), join(folder, 'src-main/common/i18n/compiled'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  for (const [path, text] of patched(patches)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(folder, 'run.ts'), script);
  const out = execFileSync(process.execPath, [join(folder, 'run.ts'), temporaryFolder()], { encoding: 'utf8' });
  return JSON.parse(out);
}
