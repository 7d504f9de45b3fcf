// `npm run scale`: simulates a week of many readers of one service, and writes docs/scale.md.
import './setup/node-gate.mjs';
import { existsSync } from 'node:fs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { Failure, runCommand } from './setup/failure.mjs';
import { ensureMessages } from './setup/messages.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';

const limitMs = 60 * 60_000;

await runCommand(async () => {
  const scale = inProject('test', 'scale', 'scale.ts');
  if (!existsSync(scale)) throw new Failure('There is no simulation: test/scale/scale.ts is missing.');
  await ensureDependencies();
  await ensureMessages();
  const ended = await runProjectNode([scale, ...process.argv.slice(2)], { limitMs, output: 'show' });
  return ended.code;
});
