import { readOptions, run } from './setup/command.mjs';
import { buildAnew } from './setup/build.mjs';
import { oneOf } from './setup/options.mjs';
import { step } from './setup/progress.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';
import { proxyEnvironment } from './setup/electron/proxy.mjs';
import { writeSbom } from './setup/sbom.mjs';

/** By system: its option of electron-builder, and what can be built there. @type {Record<string, [string, ...string[]]>} */
const targets = {
  darwin: ['--mac', 'dmg'],
  linux: ['--linux', 'AppImage', 'deb', 'rpm'],
  win32: ['--win', 'nsis'],
};
const [system = '', ...known] = targets[process.platform] ?? [];

const { values } = readOptions({
  name: 'installers',
  about: `Builds the app, its installers for this system and the list of their contents, into installers/. Publishes nothing.`,
  options: {
    only: { type: 'string', value: 'TARGET', multiple: true, about: `only ${known.join(' or ')}`, fault: oneOf(known) },
  },
});

const packLimitMs = 60 * 60_000;

await run(async () => {
  await buildAnew();
  const builder = inProject('node_modules', 'electron-builder', 'cli.js');
  const only = values.only ? [system, ...values.only] : [];
  const args = ['--config', inProject('electron-builder.config.ts'), '--publish', 'never', ...only];
  const ended = await step('Packing', () =>
    runProjectNode([builder, ...args], {
      limitMs: packLimitMs,
      output: 'show',
      env: proxyEnvironment(process.env),
    }),
  );
  if (ended.code !== 0) return ended.code;
  await step('Listing what is in them (SBOM)', () => writeSbom(inProject('installers')));
});
