import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { describe, expect, it, vi } from 'vitest';
import { arrays, composedStatements, rows, run, script, transaction, values } from '../../src-main/store/sql.ts';
import { databaseOf, openTestStore } from './internals.ts';

/** The functions of `sql.ts` that take a statement as their second argument. */
const READING = ['row', 'rows', 'value', 'values', 'arrays'];
const CALLS = [...READING, 'run'];

/** Files that compose statements at run time. Tests of all their filters run these. */
const COMPOSED_AT_RUN_TIME: readonly string[] = [
  'src-main/store/derived/derived.ts',
  'src-main/store/items/counters.ts',
  'src-main/store/items/touched.ts',
  'src-main/store/lists/list-queries.ts',
];

interface Use {
  file: string;
  call: string;
  /** Null if it is composed at run time. */
  text: string | null;
}

const files = globSync('src-main/store/**/*.ts').map((path) => path.replaceAll('\\', '/'));
const uses = files.filter((file) => file !== 'src-main/store/sql.ts').flatMap(usesIn);

function usesIn(file: string): Use[] {
  const text = readFileSync(file, 'utf8');
  if (!/from '(\.\/|(\.\.\/)+)sql\.ts'/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const constants = constantsOf(source);
  const found: Use[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && CALLS.includes(node.expression.text)) {
      const call = node.expression.text;
      const [, statement] = node.arguments;
      if (statement) found.push(...textsOf(statement, constants).map((one) => ({ file, call, text: one })));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The constants of a module: a text, or null for what the tag `sql` composes, which the registry has. */
function constantsOf(source: ts.SourceFile): Map<string, string | null> {
  const constants = new Map<string, string | null>();
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!ts.isIdentifier(name) || !initializer) continue;
      if (ts.isStringLiteralLike(initializer)) constants.set(name.text, initializer.text);
      if (/\bsql`/.test(initializer.getText())) constants.set(name.text, null);
    }
  }
  return constants;
}

function textsOf(statement: ts.Expression, constants: ReturnType<typeof constantsOf>): (string | null)[] {
  if (ts.isStringLiteralLike(statement)) return [statement.text];
  if (ts.isConditionalExpression(statement)) {
    return [statement.whenTrue, statement.whenFalse].flatMap((one) => textsOf(one, constants));
  }
  // `NAME`, `NAMES.member` and `NAMES[key]`.
  let root = statement;
  while (ts.isPropertyAccessExpression(root) || ts.isElementAccessExpression(root)) root = root.expression;
  const constant = ts.isIdentifier(root) ? constants.get(root.text) : undefined;
  if (constant === null) return [];
  return [constant ?? null];
}

describe('the statements of the store', () => {
  it('fit the tables of a new data folder', async () => {
    for (const file of files) await import(pathToFileURL(resolve(file)).href);
    const database = databaseOf(openTestStore());
    const literal = uses.flatMap(({ text }) => text ?? []);
    expect(literal.length).toBeGreaterThan(10);
    expect(composedStatements().length).toBeGreaterThan(2);
    const wrong = [...new Set([...literal, ...composedStatements()])].flatMap((text) => {
      try {
        database.prepare(text);
        return [];
      } catch (error) {
        return [`${String(error)}: ${text}`];
      }
    });
    expect(wrong).toEqual([]);
  });

  it('write nothing where a connection is only read', () => {
    const database = databaseOf(openTestStore());
    const reads = uses.flatMap(({ call, text }) => (text !== null && READING.includes(call) ? [text] : []));
    // A statement with RETURNING gives rows to a function that has been given a transaction.
    const writing = reads.filter((text) => !database.prepare(text).readonly && !/\bRETURNING\b/.test(text));
    expect(writing).toEqual([]);
  });

  it('are composed when their module loads, apart from those of lists and searches', () => {
    const composed = [...new Set(uses.flatMap(({ file, text }) => (text === null ? [file] : [])))];
    expect(composed.sort()).toEqual(COMPOSED_AT_RUN_TIME);
  });
});

describe('a connection', () => {
  const open = () => databaseOf(openTestStore());

  it('compiles a statement when it first runs, once for each form of its results', () => {
    const db = open();
    const compile = vi.spyOn(db, 'prepare');
    for (let call = 0; call < 3; call += 1) {
      expect(values(db, 'SELECT 1, 2 AS later')).toEqual([1]);
      expect(arrays(db, 'SELECT 1, 2 AS later')).toEqual([[1, 2]]);
    }
    expect(compile).toHaveBeenCalledTimes(2);
    for (let call = 0; call < 2; call += 1) expect(() => rows(db, 'SELECT * FROM missing')).toThrow('no such table');
  });

  it('keeps what a transaction wrote, and nothing of one that failed', () => {
    const db = open();
    const add = 'INSERT INTO main.property (name, value) VALUES (?, ?)';
    const names = () => values(db, "SELECT name FROM main.property WHERE name LIKE 'test-%'");
    transaction(db, (tx) => run(tx, add, 'test-one', '1'));
    const failing = (): void =>
      transaction(db, (tx) => {
        run(tx, add, 'test-two', '2');
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(names()).toEqual(['test-one']);
  });

  it('writes nothing after its transaction', () => {
    const db = open();
    const late = transaction(db, (tx) => tx);
    expect(() => run(late, 'DELETE FROM main.property')).toThrow('outside of a transaction');
    expect(() => {
      script(late, 'DELETE FROM main.property');
    }).toThrow('outside of a transaction');
  });
});
