// `npm run soak`: runs the whole app with its page for 20 minutes at a thousand times the speed, and writes docs/soak.md.
import './setup/node-gate.mjs';
import { existsSync } from 'node:fs';
import { requireBrowser } from './setup/browser-download.mjs';
import { ensureBuild } from './setup/build.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { Failure, runCommand } from './setup/failure.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';

const limitMs = 120 * 60_000;

await runCommand(async () => {
  const soak = inProject('test', 'soak', 'soak.ts');
  if (!existsSync(soak)) throw new Failure('There is no soak: test/soak/soak.ts is missing.');
  await ensureDependencies();
  await ensureBuild();
  const browser = await requireBrowser();
  const ended = await runProjectNode([soak, ...process.argv.slice(2)], {
    limitMs,
    output: 'show',
    env: { CHROMIUM_PATH: browser },
  });
  return ended.code;
});
