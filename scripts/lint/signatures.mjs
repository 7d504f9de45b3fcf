// Describes what the rest of the project can see of each file: its declarations, as the compiler writes them. A change
// inside a function leaves them as they are, so the files that import it need no new lint.
import { createHash } from 'node:crypto';
import { isGlobal, textOf } from './program.mjs';

/** @param {string} text */
export const hashOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** @typedef {{ content: string, imports: string, signature: string }} FileState */
/** @typedef {ReturnType<typeof import('./program.mjs').createProject>} Project */

/**
 * @param {Project['program']} program
 * @param {import('typescript').SourceFile} source
 * @param {string} content hash of its text: the signature where declarations do not say all
 */
function signatureOf(program, source, content) {
  if (source.isDeclarationFile || isGlobal(source)) return content;
  let text = '';
  const emitted = program.emit(source, (_name, written) => (text += written), undefined, true);
  return text === '' || emitted.diagnostics.length > 0 ? content : hashOf(text);
}

/**
 * Returns the state of each file of a project. Renews signatures of files that changed, and of everything that imports,
 * directly or not, a file whose signature changed: a type can pass through a file that only names it. Takes the others
 * from `before`, which must be from a run with the same packages, settings and global declarations.
 * @param {Project} project
 * @param {Record<string, FileState>} before
 * @returns {Record<string, FileState>}
 */
export function statesOf({ program, sources, imports }, before) {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const [from, targets] of imports) {
    for (const to of targets) importers.set(to, [...(importers.get(to) ?? []), from]);
  }
  /** @type {Record<string, FileState>} */
  const states = {};
  /** @type {{ source: import('typescript').SourceFile, state: FileState }[]} */
  const changed = [];
  for (const source of sources) {
    const content = hashOf(textOf(source.fileName));
    const imported = hashOf([...(imports.get(source.fileName) ?? [])].sort().join('\n'));
    const old = before[source.fileName];
    const state = { content, imports: imported, signature: old?.signature ?? '' };
    states[source.fileName] = state;
    if (old?.content !== content || old.imports !== imported) changed.push({ source, state });
  }
  const affected = new Set();
  for (const { source, state } of changed) {
    state.signature = signatureOf(program, source, state.content);
    const old = before[source.fileName];
    if (old?.signature !== state.signature || old.imports !== state.imports) affected.add(source.fileName);
  }
  for (const file of affected) for (const importer of importers.get(file) ?? []) affected.add(importer);
  const written = new Set(changed.map(({ source }) => source));
  for (const source of sources) {
    const state = states[source.fileName];
    if (!state || !affected.has(source.fileName) || written.has(source)) continue;
    state.signature = signatureOf(program, source, state.content);
  }
  return states;
}

/**
 * Returns a key of everything that can change the types of any file of a project.
 * @param {Project} project
 * @param {string} everywhere key of what all projects depend on
 */
export function sharedKey({ sources }, everywhere) {
  const globals = sources.filter(isGlobal).map(({ fileName }) => `${fileName} ${hashOf(textOf(fileName))}`);
  return hashOf([everywhere, ...globals.sort()].join('\n'));
}

/**
 * Returns a key for each file: the same only while its own text, the signatures of everything that it imports, directly
 * or not, and what is shared are the same.
 * @param {Project} project
 * @param {Record<string, FileState>} states
 * @param {string} shared
 */
export function keysOf({ imports }, states, shared) {
  /** @param {string} file */
  return (file) => {
    const reached = new Set([file]);
    for (const from of reached) for (const to of imports.get(from) ?? []) reached.add(to);
    const lines = [...reached].map((name) => `${name} ${states[name]?.signature}`).sort();
    return hashOf([shared, file, states[file]?.content, ...lines].join('\n'));
  };
}
