import { globSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import ts from 'typescript';

/**
 * The Electron members that the host uses, as named in `electron.d.ts`: `App.quit`, and `App.on:before-quit` for an event that
 * it listens to. Properties, types and arguments are excluded, because the compiler checks those.
 */
export function usedMembers(): string[] {
  const files = globSync('src-main/{electron,preload}/**/*.ts');
  const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, resolve('.'));
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const found = new Set<string>();
  for (const file of files) {
    const source = program.getSourceFile(file);
    if (source) visit(source);
  }
  return [...found].sort();

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) note(node, node.expression.name);
    ts.forEachChild(node, visit);
  }

  function note(call: ts.CallExpression, name: ts.MemberName): void {
    const [owner] = checker.getSymbolAtLocation(name)?.declarations?.flatMap(ownerOf) ?? [];
    // Additions to Node's own process do not count.
    if (owner === undefined || owner === 'Process') return;
    const [event] = call.arguments;
    const isListening = /^(?:on|once)$/.test(name.text) && event && ts.isStringLiteral(event);
    found.add(isListening ? `${owner}.on:${event.text}` : `${owner}.${name.text}`);
  }
}

/** The Electron class or module that declares a member. */
function ownerOf({ parent }: ts.Declaration): string[] {
  if (basename(parent.getSourceFile().fileName) !== 'electron.d.ts') return [];
  return (ts.isClassDeclaration(parent) || ts.isInterfaceDeclaration(parent)) && parent.name ? [parent.name.text] : [];
}
