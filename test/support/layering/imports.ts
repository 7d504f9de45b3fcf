import ts from 'typescript';

const svelteScript = /<script\b[^>]*>([\s\S]*?)<\/script>/g;

/** The code of a source file; for a component, its scripts. */
function codeOf(file: string, text: string): string {
  if (!file.endsWith('.svelte')) return text;
  return [...text.matchAll(svelteScript)].map(([, script]) => script).join('\n');
}

function literal(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** The arguments of `import(...)`, `require(...)` and `new URL(..., import.meta.url)`. */
function calledFor(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node)) {
    const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
    const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require';
    return isImport || isRequire ? literal(node.arguments[0]) : undefined;
  }
  if (!ts.isNewExpression(node) || node.expression.getText() !== 'URL') return undefined;
  return node.arguments?.[1]?.getText() === 'import.meta.url' ? literal(node.arguments[0]) : undefined;
}

function namedBy(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literal(node.moduleSpecifier);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return literal(node.argument.literal);
  if (ts.isExternalModuleReference(node)) return literal(node.expression);
  return calledFor(node);
}

/**
 * Every module that a source file names: imports and re-exports (of types too), dynamic imports, `require`, and files
 * addressed with `new URL(..., import.meta.url)`, which is how a worker is named.
 */
export function importsOf(file: string, text: string): string[] {
  return collect(file, codeOf(file, text), namedBy);
}

/**
 * Where a file of the page uses the wire: calls of its two verbs (`wire.call(`, `wire.on(`), and in a component every
 * `x.wire` or `wire=`, which hands it on.
 */
export function wireUsesIn(file: string, text: string): string[] {
  const isComponent = file.endsWith('.svelte');
  const uses = collect(file, codeOf(file, text), (node) => {
    if (isComponent && ts.isPropertyAccessExpression(node) && node.name.text === 'wire') return node.getText();
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
    const { expression: wire, name } = node.expression;
    const isVerb = name.text === 'call' || name.text === 'on';
    return isVerb && /(^|[.#])wire$/.test(wire.getText()) ? node.expression.getText() : undefined;
  });
  if (!isComponent) return uses;
  const markup = text.replaceAll(svelteScript, '');
  return [...uses, ...(markup.match(/\bwire=|\.wire\b/g) ?? [])];
}

/** Returns all results of `read` for the nodes of some code. */
function collect(file: string, code: string, read: (node: ts.Node) => string | undefined): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = read(node);
    if (name !== undefined) found.push(name);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
