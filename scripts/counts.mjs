// `npm run counts`: measures the weight of the code. `-- --walks` also lists the files that five calls pass.
import './setup/node-gate.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { runCommand } from './setup/failure.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';

await runCommand(async () => {
  await ensureDependencies();
  const print = inProject('scripts', 'counts', 'print.mjs');
  const ended = await runProjectNode([print, ...process.argv.slice(2)], { limitMs: 60_000, output: 'show' });
  return ended.code;
});
