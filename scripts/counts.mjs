import './setup/node-gate.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { runCommand } from './setup/failure.mjs';
import { readOptions } from './setup/options.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';

const { values } = readOptions({
  name: 'counts',
  about: 'Measures the weight of the code.',
  options: { walks: { type: 'boolean', about: 'list the files that five calls pass, too' } },
});

await runCommand(async () => {
  await ensureDependencies();
  const print = inProject('scripts', 'counts', 'print.mjs');
  const ended = await runProjectNode([print, ...(values.walks ? ['--walks'] : [])], {
    limitMs: 60_000,
    output: 'show',
  });
  return ended.code;
});
