import { describe, expect, it } from 'vitest';
import { packagePath } from '../../scripts/packaging/licences.mjs';

describe('the package of a file in a source map', () => {
  it.each([
    ['../../node_modules/zod/v4/core.js', 'node_modules/zod'],
    ['../node_modules/@lucide/svelte/dist/x.js', 'node_modules/@lucide/svelte'],
    [
      '../../node_modules/feedsmith/node_modules/entities/dist/decode.js',
      'node_modules/feedsmith/node_modules/entities',
    ],
    // Carried inside its build, with no package.json and licence of its own.
    ['../../node_modules/feedsmith/dist/node_modules/trousse/dist/is.mjs', 'node_modules/feedsmith'],
  ])('%s is %s', (source, path) => {
    expect(packagePath(source)).toBe(path);
  });
});
