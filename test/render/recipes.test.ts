import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const OUTPUT = path.join(ROOT, 'src-main/render/outputs/made-up.ts');
/** As docs/recipes.md says: one file, which knows documents and no kind of record. */
const TEXT = `
import type { Block, Document } from '../document.ts';

export function toMadeUp({ name, title, blocks }: Document): string {
  return [name, title, ...blocks.map(formatBlock)].filter((text) => text !== null).join('; ');
}

function formatBlock(block: Block): string {
  switch (block.is) {
    case 'text':
      return block.text;
    case 'entry':
      return block.title ?? '';
    case 'facts':
    case 'list':
      return block.facts.flatMap(({ spans }) => spans.map(({ text }) => text)).join(', ');
    case 'changes':
      return block.changes.map(({ what }) => what).join(', ');
    case 'section':
      return [block.title, ...block.blocks.map(formatBlock)].join(': ');
  }
}
`;

/** Compiles the file as if it were in the project. */
function problemsOf(text: string): string[] {
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, ROOT);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  const isOutput = (file: string): boolean => path.resolve(file) === OUTPUT;
  host.fileExists = (file) => isOutput(file) || fileExists(file);
  host.getSourceFile = (file, ...rest) =>
    isOutput(file) ? ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) : getSourceFile(file, ...rest);
  const program = ts.createProgram([OUTPUT], options, host);
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(OUTPUT))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('a new output format by the recipe', { timeout: 60_000 }, () => {
  it('is one file that compiles', () => {
    expect(problemsOf(TEXT)).toEqual([]);
  });

  it('does not compile if it leaves out a kind of block', () => {
    expect(problemsOf(TEXT.replace(/ {4}case 'entry':\n.*\n/, ''))).not.toEqual([]);
  });
});
