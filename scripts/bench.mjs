// `npm run bench`: measures the store and the app on this computer.
import './setup/node-gate.mjs';
import { existsSync } from 'node:fs';
import { requireBrowser } from './setup/browser-download.mjs';
import { ensureBuild } from './setup/build.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { Failure, runCommand } from './setup/failure.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';

const benchLimitMs = 60 * 60_000;

await runCommand(async () => {
  const bench = inProject('test', 'bench', 'bench.ts');
  if (!existsSync(bench)) throw new Failure('There is no benchmark: test/bench/bench.ts is missing.');
  await ensureDependencies();
  await ensureBuild();
  // Now, and not after the minutes of the parts that need none.
  const browser = await requireBrowser();
  const ended = await runProjectNode([bench, ...process.argv.slice(2)], {
    limitMs: benchLimitMs,
    output: 'show',
    env: { CHROMIUM_PATH: browser },
  });
  return ended.code;
});
