// `npm run installers`: builds the app and its installers for this system. Other arguments are passed to electron-builder.
import './setup/node-gate.mjs';
import { buildAnew } from './setup/build.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { runCommand } from './setup/failure.mjs';
import { ensureMessages } from './setup/messages.mjs';
import { step } from './setup/progress.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';

const packLimitMs = 60 * 60_000;

await runCommand(async () => {
  await ensureDependencies();
  await ensureMessages();
  await buildAnew();
  const builder = inProject('node_modules', 'electron-builder', 'cli.js');
  // Never publish automatically.
  const args = ['--config', inProject('electron-builder.config.ts'), '--publish', 'never', ...process.argv.slice(2)];
  const ended = await step('Packing', () =>
    runProjectNode([builder, ...args], { limitMs: packLimitMs, output: 'show' }),
  );
  return ended.code;
});
