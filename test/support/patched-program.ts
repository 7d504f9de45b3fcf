import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { temporaryFolder } from './folders.ts';

/** By path in the project: the text of a new file, or how the text of one changes. */
export type Patches = Record<string, string | ((text: string) => string)>;

/** Inserts `text` behind the only `anchor` of a file. Throws where the recipe's place is gone. */
export const insertAfter =
  (anchor: string, text: string) =>
  (file: string): string => {
    const parts = file.split(anchor);
    if (parts.length !== 2) throw new Error(`${parts.length - 1} times in the file: ${anchor}`);
    return parts.join(`${anchor}${text}`);
  };

/** Inserts `text` before the only `anchor` of a file. */
export const insertBefore =
  (anchor: string, text: string) =>
  (file: string): string =>
    insertAfter(anchor, '')(file).replace(anchor, () => `${text}${anchor}`);

/** Files without patches, parsed once. */
const parsed = new Map<string, ts.SourceFile>();

/** Compiles the program with patched copies of files, in memory. Returns the errors in `files`: path, code and message. */
export function errorsWith(patches: Patches, files: readonly string[]): string[] {
  const config = ts.readConfigFile('tsconfig.json', (path) => readFileSync(path, 'utf8'));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, '.');
  const texts = new Map<string, string>();
  for (const [path, patch] of Object.entries(patches)) {
    texts.set(resolve(path), typeof patch === 'string' ? patch : patch(readFileSync(path, 'utf8')));
  }
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
  const roots = [...new Set([...files, ...Object.keys(patches)])].map((path) => resolve(path));
  const program = ts.createProgram({ rootNames: roots, options: { ...options, noEmit: true }, host });
  return files.flatMap((path) => {
    const source = program.getSourceFile(resolve(path));
    if (!source) return [`${path}: is not part of the program`];
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ code, messageText }) => `${path}: TS${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
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
  for (const [path, patch] of Object.entries(patches)) {
    writeFileSync(join(folder, path), typeof patch === 'string' ? patch : patch(readFileSync(path, 'utf8')));
  }
  writeFileSync(join(folder, 'run.ts'), script);
  const out = execFileSync(process.execPath, [join(folder, 'run.ts'), temporaryFolder()], { encoding: 'utf8' });
  return JSON.parse(out);
}
