import { existsSync, globSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapping, type SourceMapPayload } from 'node:module';

/** Positions in built code, and the source or package of each. */
export function madeOf(files: string, pattern: RegExp): string[] {
  const origins = globSync(files).flatMap((file) => originsIn(file, pattern));
  return [...new Set(origins)].sort();
}

function originsIn(file: string, pattern: RegExp): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const places = lines.flatMap((line, index) =>
    [...line.matchAll(pattern)].map((match) => [index, match.index] as const),
  );
  if (places.length === 0) return [];
  // Files shipped unchanged have no map.
  if (!existsSync(`${file}.map`)) return [file];
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
  return places.map(([line, column]) => {
    const { originalSource }: Partial<SourceMapping> = map.findEntry(line, column);
    // Not from any source.
    return originalSource ? shortened(originalSource) : `${file}:${line + 1}`;
  });
}

/** A package by name, a source by path. */
function shortened(source: string): string {
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules)/.exec(source);
  return inPackage?.[1] ?? source.replace(/^(?:\.\.\/)+/, '');
}
