import { readOptions, run } from './setup/command.mjs';
import { requireBrowser } from './setup/browser-download.mjs';
import { ensureBuild } from './setup/build.mjs';
import { oneOf, wholeNumber } from './setup/options.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project-node.mjs';

const { values } = readOptions({
  name: 'bench',
  about: `Measures the store, the app and the page side by side with the plainest program. A whole run writes docs/performance.md
and its chart.`,
  options: {
    items: { type: 'string', value: 'N,...', default: '5000,20000,100000', about: 'how many items', fault: numbers },
    runs: { type: 'string', value: 'N', about: 'of each measurement', fault: wholeNumber(1) },
    only: {
      type: 'string',
      value: 'PART',
      about: 'mirror, running or page',
      fault: oneOf(['mirror', 'running', 'page']),
    },
    peers: { type: 'boolean', about: 'compare with newsboat, too', default: false },
    compare: {
      type: 'string',
      value: 'FILE',
      about: 'compare with what an earlier run printed, as docs/performance.md',
    },
    limit: {
      type: 'string',
      value: 'X',
      default: '1.5',
      about: 'with --compare: fail if a ratio has grown by more',
      fault: (text) => (Number(text) > 1 ? null : 'must be a number above 1'),
    },
  },
});

/** @param {string} text */
function numbers(text) {
  return (
    text
      .split(',')
      .map(wholeNumber(1))
      .find((fault) => fault !== null) ?? null
  );
}

const benchLimitMs = 60 * 60_000;

await run(async () => {
  await ensureBuild();
  // Now, and not after the minutes of the parts that need none.
  const browser = await requireBrowser();
  const ended = await runProjectNode([inProject('test', 'bench', 'bench.ts'), JSON.stringify(values)], {
    limitMs: benchLimitMs,
    output: 'show',
    env: { CHROMIUM_PATH: browser },
  });
  return ended.code;
});
