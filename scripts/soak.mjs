import { readOptions, run } from './setup/command.mjs';
import { requireBrowser } from './setup/browser-download.mjs';
import { ensureBuild } from './setup/build.mjs';
import { wholeNumber } from './setup/options.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';

const { values } = readOptions({
  name: 'soak',
  about: `Runs the whole app, page included, on its demo service, with a time that runs fast. Fails if something grew beyond its
limit. With the defaults it writes docs/soak.md.`,
  options: {
    minutes: { type: 'string', value: 'N', default: '20', about: 'how long', fault: wholeNumber(1) },
    speed: { type: 'string', value: 'N', default: '1000', about: 'times the speed', fault: wholeNumber(1) },
  },
});

const limitMs = 120 * 60_000;

await run(async () => {
  await ensureBuild();
  const browser = await requireBrowser();
  const ended = await runProjectNode([inProject('test', 'soak', 'soak.ts'), values.minutes, values.speed], {
    limitMs,
    output: 'show',
    env: { CHROMIUM_PATH: browser },
  });
  return ended.code;
});
