import { readOptions, run } from './setup/command.mjs';
import { ensureMessages } from './setup/messages.mjs';
import { wholeNumber } from './setup/options.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';

const { values } = readOptions({
  name: 'scale',
  about: 'Simulates a week of many readers of one service. With the default it writes docs/scale.md.',
  options: {
    readers: { type: 'string', value: 'N', default: '100000', about: 'how many', fault: wholeNumber(2) },
  },
});

const limitMs = 60 * 60_000;

await run(async () => {
  await ensureMessages();
  const ended = await runProjectNode([inProject('test', 'scale', 'scale.ts'), values.readers], {
    limitMs,
    output: 'show',
  });
  return ended.code;
});
