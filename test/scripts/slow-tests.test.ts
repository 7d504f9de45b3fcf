import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { slowTests } from '../../scripts/testing/slow-tests.mjs';
import { inProject } from '../../scripts/setup/project.mjs';

describe('the slow tests', () => {
  it.each(slowTests)('%s are files', (pattern) => {
    const names = /\{(.*)\}/.exec(pattern)?.[1]?.split(',') ?? [''];
    for (const name of names) {
      const one = pattern.replace(/\{.*\}/, name).replace(/\*\*$/, '**/*.test.ts');
      expect(globSync(one, { cwd: inProject() }), one).not.toEqual([]);
    }
  });
});
