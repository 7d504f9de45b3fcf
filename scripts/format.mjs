// `npm run format`: formats every file.
import './setup/node-gate.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { runCommand } from './setup/failure.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';

await runCommand(async () => {
  await ensureDependencies();
  const prettier = inProject('node_modules', 'prettier', 'bin', 'prettier.cjs');
  const ended = await runProjectNode([prettier, '--write', '--log-level', 'warn', '.'], {
    limitMs: 5 * 60_000,
    output: 'show',
  });
  return ended.code;
});
