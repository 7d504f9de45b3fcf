// Creates one TypeScript program for each tsconfig.json. With ESLint's own (`projectService`), each component and each
// .svelte.ts file made the compiler rebuild its program and infer its types again, since the linted code differs from
// the file's text.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** @typedef {{ parseForESLint(code: string, options: object): unknown }} Parser */
/** @typedef {{ parser: Parser, parserOptions: { parser: Parser } }} SvelteParsing The parsers of Svelte files in eslint.config.js. */

/** True for a file whose code is translated before it is linted. */
const isSvelte = (/** @type {string} */ file) => /\.svelte(?:\.ts)?$/.test(file);

/** @param {string} path */
export const forward = (path) => path.replaceAll('\\', '/');

/**
 * Returns the nearest tsconfig.json of a file, as editors do.
 * @param {string} root
 * @param {string} file relative to the root
 */
export function settingsOf(root, file) {
  const found = ts.findConfigFile(dirname(join(root, file)), ts.sys.fileExists);
  if (found === undefined) throw new Error(`no tsconfig.json for ${file}`);
  return forward(found);
}

/**
 * Returns the code that ESLint's Svelte parser passes to the TypeScript parser. Text that it cannot read stays as it
 * is: linting reports it.
 * @param {SvelteParsing | null} parsing
 * @param {string} filePath
 * @param {string} text
 */
function translated(parsing, filePath, text) {
  if (parsing === null) return text;
  const { parser, parserOptions } = parsing;
  const untyped = { project: undefined, projectService: undefined, programs: undefined };
  let last = text;
  const capture = {
    ...parserOptions.parser,
    parseForESLint: (/** @type {string} */ code, /** @type {object} */ options) => {
      last = code;
      return parserOptions.parser.parseForESLint(code, { ...options, ...untyped });
    },
  };
  try {
    parser.parseForESLint(text, { ...parserOptions, ...untyped, parser: capture, filePath });
    return last;
  } catch {
    return text;
  }
}

/**
 * Creates the program of one tsconfig.json. Also returns which of the project's files each of its files imports, as the
 * compiler resolved them for this program.
 * @param {{ root: string, settings: string, components: readonly string[], parsing: SvelteParsing | null }} project
 *   components: the .svelte files to lint, absolute. Imports of components get the ambient type, so others are not needed
 */
export function createProject({ root, settings, components, parsing }) {
  const { config, error } = ts.readConfigFile(settings, ts.sys.readFile);
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
  const parsed = ts.parseJsonConfigFileContent(config, ts.sys, dirname(settings));
  /** @type {import('typescript').CompilerOptions} */
  const options = {
    ...parsed.options,
    // For the components.
    allowNonTsExtensions: true,
    // For the signatures (see signatures.mjs).
    ...{ noEmit: false, declaration: true, emitDeclarationOnly: true },
  };
  const host = ts.createCompilerHost(options, true);
  const cache = ts.createModuleResolutionCache(root, host.getCanonicalFileName, options);
  /** @type {Map<string, Set<string>>} */
  const imports = new Map();
  const isOurs = (/** @type {string} */ file) =>
    file.startsWith(`${forward(root)}/`) && !file.includes('/node_modules/');
  const read = host.readFile;
  host.readFile = (file) => {
    const text = read(file);
    return text !== undefined && isSvelte(file) && isOurs(file) ? translated(parsing, file, text) : text;
  };
  host.resolveModuleNameLiterals = (literals, from, redirected, opts, source) =>
    literals.map((literal) => {
      const mode = ts.getModeForUsageLocation(source, literal, opts);
      const result = ts.resolveModuleName(literal.text, from, opts, host, cache, redirected, mode);
      const file = result.resolvedModule?.resolvedFileName;
      if (file !== undefined && isOurs(file)) imports.set(from, (imports.get(from) ?? new Set()).add(file));
      return result;
    });
  const program = ts.createProgram([...parsed.fileNames, ...components.map(forward)], options, host);
  const sources = program.getSourceFiles().filter(({ fileName }) => isOurs(fileName));
  for (const { fileName, referencedFiles } of sources) {
    const targets = imports.get(fileName) ?? new Set();
    for (const reference of referencedFiles) targets.add(forward(join(dirname(fileName), reference.fileName)));
    imports.set(fileName, targets);
  }
  return { program, sources, imports };
}

/**
 * Returns true for a file that can change the types of files that do not import it.
 * @param {import('typescript').SourceFile} source
 */
export function isGlobal(source) {
  return !ts.isExternalModule(source) || source.statements.some((statement) => ts.isModuleDeclaration(statement));
}

/** @param {string} file */
export const textOf = (file) => readFileSync(file, 'utf8');
