import './setup/node-gate.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { runCommand } from './setup/failure.mjs';
import { readOptions } from './setup/options.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';

readOptions({ name: 'format', about: 'Formats every file.' });

await runCommand(async () => {
  await ensureDependencies();
  const prettier = inProject('node_modules', 'prettier', 'bin', 'prettier.cjs');
  const ended = await runProjectNode([prettier, '--write', '--log-level', 'warn', '.'], {
    limitMs: 5 * 60_000,
    output: 'show',
  });
  return ended.code;
});
