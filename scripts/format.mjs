import { readOptions, run } from './setup/command.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';

readOptions({ name: 'format', about: 'Formats every file.' });

await run(async () => {
  const prettier = inProject('node_modules', 'prettier', 'bin', 'prettier.cjs');
  const ended = await runProjectNode([prettier, '--write', '--log-level', 'warn', '.'], {
    limitMs: 5 * 60_000,
    output: 'show',
  });
  return ended.code;
});
