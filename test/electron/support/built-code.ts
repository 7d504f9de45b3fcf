import { existsSync, globSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapping, type SourceMapPayload } from 'node:module';

/** Places in built code, and the source or package that each was made of. */
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
  // A file that is shipped as it was written has no map.
  if (!existsSync(`${file}.map`)) return [file];
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
  return places.map(([line, column]) => {
    const { originalSource }: Partial<SourceMapping> = map.findEntry(line, column);
    // A place that no source stands for: somebody wrote it there.
    return originalSource ? shortened(originalSource) : `${file}:${line + 1}`;
  });
}

/** A package by its name, a source by its path. */
function shortened(source: string): string {
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules)/.exec(source);
  return inPackage?.[1] ?? source.replace(/^(?:\.\.\/)+/, '');
}
