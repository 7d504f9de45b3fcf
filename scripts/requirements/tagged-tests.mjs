import ts from 'typescript';
import { assertsSomething } from './assertions.mjs';

/**
 * A test that names requirements in the line above it: `// Holds: news-4.1-limit, news-8-items-limit`.
 * @typedef {object} TaggedTest
 * @property {string} file
 * @property {string} title with those of the groups around it
 * @property {string[]} ids
 */

/** @typedef {import('./assertions.mjs').ReadSource} ReadSource */

/** Ways to write a test or a group that always runs. Others (skip, todo, skipIf, runIf, fails) may not run it. */
const plain = new Set(['each', 'for', 'concurrent', 'sequential']);
const marker = /^\/\/ Holds: (.*)$/;
const markerLine = /^[ \t]*\/\/ Holds:/gm;

/**
 * Returns the tests of a file that name requirements. A test counts only if it always runs and asserts something.
 * @param {string} file
 * @param {ReadSource} readSource
 * @returns {{ tests: TaggedTest[], problems: string[] }}
 */
export function taggedTests(file, readSource) {
  const source = readSource(file);
  if (source === null) return { tests: [], problems: [`${file}: cannot be read`] };
  /** @type {TaggedTest[]} */
  const tests = [];
  /** @type {string[]} */
  const problems = [];
  let found = 0;

  /** @type {(node: ts.Node, around: { titles: string[], why: string | null }) => void} */
  const visit = (node, around) => {
    const call = ts.isExpressionStatement(node) ? testCall(node.expression) : null;
    const why = around.why ?? mayNotRun(node, call);
    if (call?.kind === 'describe') {
      const titles = [...around.titles, call.title];
      return ts.forEachChild(node, (child) => visit(child, { titles, why }));
    }
    const ids = ts.isStatement(node) ? idsAbove(node, source) : [];
    if (ids.length > 0) {
      found += ids.length;
      const title = [...around.titles, call?.title ?? ''].join(' > ');
      const fault = call === null ? 'is not above a test' : (why ?? (holds(call, source) ? null : 'asserts nothing'));
      const test = { file, title, ids: ids.flat() };
      if (fault === null) tests.push(test);
      else problems.push(`${file}: "${title}", which names ${test.ids.join(', ')}, ${fault}`);
    }
    ts.forEachChild(node, (child) => visit(child, { ...around, why }));
  };
  /** @type {(call: TestCall, source: ts.SourceFile) => boolean} */
  const holds = (call, at) => call.body !== undefined && assertsSomething(call.body, at, readSource);

  visit(source, { titles: [], why: null });
  if (found !== (source.text.match(markerLine) ?? []).length)
    problems.push(`${file}: a comment that names requirements is not directly above a test`);
  return { tests, problems };
}

/**
 * Returns the ids of each marker in the comments above a statement.
 * @param {ts.Node} node
 * @param {ts.SourceFile} source
 */
function idsAbove(node, source) {
  return (ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []).flatMap(({ pos, end }) => {
    const [, names] = marker.exec(source.text.slice(pos, end)) ?? [];
    return names === undefined ? [] : [names.split(',').map((name) => name.trim())];
  });
}

/**
 * @typedef {object} TestCall
 * @property {'test' | 'describe'} kind
 * @property {string[]} modifiers
 * @property {string} title
 * @property {readonly ts.Expression[]} args
 * @property {ts.Expression | undefined} body
 */

/**
 * Parses `it(...)`, `it.each(...)(...)` and similar calls; null for other expressions.
 * @param {ts.Expression} expression
 * @returns {TestCall | null}
 */
function testCall(expression) {
  if (!ts.isCallExpression(expression)) return null;
  const modifiers = [];
  let callee = expression.expression;
  while (!ts.isIdentifier(callee)) {
    if (ts.isPropertyAccessExpression(callee)) modifiers.push(callee.name.text);
    else if (!ts.isCallExpression(callee)) return null;
    callee = callee.expression;
  }
  const kind = callee.text === 'describe' ? callee.text : ['it', 'test'].includes(callee.text) ? 'test' : null;
  if (kind === null) return null;
  const args = expression.arguments;
  const body = args.find((arg) => ts.isArrowFunction(arg) || ts.isFunctionExpression(arg)) ?? args.at(-1);
  return { kind, modifiers, title: titleOf(args[0]), args, body };
}

/** @param {ts.Expression | undefined} title */
function titleOf(title) {
  if (title === undefined) return '';
  return ts.isStringLiteralLike(title) ? title.text : title.getText().replace(/^`|`$/g, '');
}

/**
 * Explains why the content of a node may not run. Does not recognise a loop over nothing.
 * @param {ts.Node} node
 * @param {TestCall | null} call
 * @returns {string | null}
 */
function mayNotRun(node, call) {
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) return 'does not always run';
  if (call === null) return null;
  const conditional = call.modifiers.find((modifier) => !plain.has(modifier));
  if (conditional !== undefined) return `does not always run (${conditional})`;
  const options = call.args.filter(ts.isObjectLiteralExpression).flatMap(({ properties }) => [...properties]);
  const names = options.map(({ name }) => name?.getText());
  if (names.some((name) => name === 'skip' || name === 'todo' || name === 'fails')) return 'does not always run';
  return call.kind === 'test' && call.body !== undefined && skipsItself(call.body) ? 'may skip itself' : null;
}

/** @param {ts.Node} node @returns {boolean} */
function skipsItself(node) {
  const skips =
    ts.isCallExpression(node) &&
    (ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression);
  if (skips && ts.isIdentifier(skips) && skips.text === 'skip') return true;
  return ts.forEachChild(node, (child) => skipsItself(child) || undefined) ?? false;
}
