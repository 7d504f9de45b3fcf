// `npm run installers`: builds the app, its installers for this system and the list of their contents. Other arguments
// are passed to electron-builder.
import './setup/node-gate.mjs';
import { buildAnew } from './setup/build.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { runCommand } from './setup/failure.mjs';
import { step } from './setup/progress.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';
import { proxyEnvironment } from './setup/electron/proxy.mjs';
import { writeSbom } from './setup/sbom.mjs';

const packLimitMs = 60 * 60_000;

await runCommand(async () => {
  await ensureDependencies();
  await buildAnew();
  const builder = inProject('node_modules', 'electron-builder', 'cli.js');
  // Never publish automatically.
  const args = ['--config', inProject('electron-builder.config.ts'), '--publish', 'never', ...process.argv.slice(2)];
  const ended = await step('Packing', () =>
    runProjectNode([builder, ...args], {
      limitMs: packLimitMs,
      output: 'show',
      env: proxyEnvironment(process.env),
    }),
  );
  if (ended.code !== 0) return ended.code;
  await step('Listing what is in them (SBOM)', () => writeSbom(inProject('installers')));
  return 0;
});
