import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const SIGN_OF_HTTP = 'UND_ERR_HTTP_PARSER';

/** Returns the built files that are loaded with a file, without those that it loads on demand. */
function loadedWith(file: string, files = new Set<string>()): Set<string> {
  if (files.has(file)) return files;
  files.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^;]*?["'](\.\/[^"']+)["']/gm))
    loadedWith(join(dirname(file), name!), files);
  return files;
}

const readsHttp = (file: string): boolean => readFileSync(file, 'utf8').includes(SIGN_OF_HTTP);

it('a command that reads loads no HTTP client, which costs a third of its time', () => {
  expect(globSync('out/node/*.js').some(readsHttp)).toBe(true);
  const [core] = globSync('out/node/open-core-*.js');
  expect([...loadedWith(core!)].length).toBeGreaterThan(3);
  expect([...loadedWith(core!), ...loadedWith('out/node/cli.js')].filter(readsHttp)).toEqual([]);
});
