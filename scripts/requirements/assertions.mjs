import { dirname, posix } from 'node:path';
import ts from 'typescript';

/**
 * Parses a file of the project, whose path is relative to it; null if there is none.
 * @typedef {(file: string) => ts.SourceFile | null} ReadSource
 */

/**
 * Returns true if a test's function contains an assertion, or calls a function of the tests that does:
 * `expect(value).toX()`, where the value is not a literal.
 * @param {ts.Node} body
 * @param {ts.SourceFile} source
 * @param {ReadSource} readSource
 * @param {Set<ts.Node>} [seen]
 * @returns {boolean}
 */
export function assertsSomething(body, source, readSource, seen = new Set()) {
  if (seen.has(body)) return false;
  seen.add(body);
  /** @type {(node: ts.Node) => boolean} */
  const inside = (node) => {
    if (ts.isCallExpression(node) && isAssertion(node)) return true;
    const called = ts.isCallExpression(node) ? node.expression : node === body ? node : null;
    if (called !== null && ts.isIdentifier(called)) {
      const found = functionCalled(called.text, source, readSource);
      if (found !== null && assertsSomething(found.body, found.source, readSource, seen)) return true;
    }
    return ts.forEachChild(node, (child) => inside(child) || undefined) ?? false;
  };
  return inside(body);
}

/** @param {ts.CallExpression} call */
function isAssertion({ expression: matcher }) {
  if (!ts.isPropertyAccessExpression(matcher) || !/^to[A-Z]/.test(matcher.name.text)) return false;
  /** @type {ts.Expression} */
  let subject = matcher.expression;
  while (ts.isPropertyAccessExpression(subject)) subject = subject.expression;
  if (!ts.isCallExpression(subject)) return false;
  const [value] = subject.arguments;
  let root = subject.expression;
  while (ts.isPropertyAccessExpression(root)) root = root.expression;
  return ts.isIdentifier(root) && root.text === 'expect' && value !== undefined && !isLiteral(value);
}

/** @param {ts.Expression} value */
function isLiteral(value) {
  return ts.isLiteralExpression(value) || [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(value.kind);
}

/**
 * Finds the function with a name that is declared in a file, or imported from another file of the project.
 * @param {string} name
 * @param {ts.SourceFile} source
 * @param {ReadSource} readSource
 * @returns {{ body: ts.Node, source: ts.SourceFile } | null}
 */
function functionCalled(name, source, readSource) {
  const body = declaredFunction(name, source);
  if (body !== null) return { body, source };
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const path = statement.moduleSpecifier.text;
    const imported = importedAs(name, statement);
    if (imported === null || !path.startsWith('.')) continue;
    const file = posix.join(dirname(source.fileName), path);
    // Only tests assert. Functions that they import from the product are what they check.
    const other = file.startsWith('test/') ? readSource(file) : null;
    return other === null ? null : functionCalled(imported, other, readSource);
  }
  return null;
}

/** @param {string} name @param {ts.ImportDeclaration} declaration */
function importedAs(name, { importClause }) {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return null;
  const found = bindings.elements.find((element) => element.name.text === name);
  return found === undefined ? null : (found.propertyName ?? found.name).text;
}

/**
 * @param {string} name
 * @param {ts.Node} node
 * @returns {ts.Node | null}
 */
function declaredFunction(name, node) {
  if (ts.isFunctionDeclaration(node) && node.name?.text === name) return node.body ?? null;
  if (ts.isVariableDeclaration(node) && node.name.getText() === name) {
    const { initializer } = node;
    return initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
      ? initializer.body
      : null;
  }
  return ts.forEachChild(node, (child) => declaredFunction(name, child) ?? undefined) ?? null;
}
