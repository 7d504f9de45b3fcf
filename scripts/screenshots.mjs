import { readOptions, run } from './setup/command.mjs';
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requireBrowser } from './setup/browser-download.mjs';
import { ensureBuild } from './setup/build.mjs';
import { Failure } from './setup/failure.mjs';
import { say } from './setup/progress.mjs';
import { inProject } from './setup/project.mjs';
import { runVitest } from './testing/vitest.mjs';

const limitMs = 20 * 60_000;
const folder = inProject('test-output', 'screenshots');
const slowClock = new URL(`testing/slow-clock.mjs?${Date.now()}`, import.meta.url).href;
/** Pictures in README.md and docs/models.md. */
const shown = [
  'daily-1440-light-en.png',
  'topic-1440-light-en.png',
  'story-1440-dark-en.png',
  'models-table-1440-light-en.png',
  'search-480-dark-zh.png',
  'model-480-dark-zh.png',
];

/** `SCENE-WIDTH-SCHEME-LANGUAGE.png` */
const picture = /^([\w-]+)-\d+-(?:light|dark)-(?:en|zh)\.png$/;

const { values, operands } = readOptions({
  name: 'screenshots',
  about: `Takes pictures of every view in four sizes, both themes and both languages.`,
  operands: { name: 'SCENE ...', about: 'only these scenes of test/e2e/pictures' },
  options: {
    readme: { type: 'boolean', about: 'only those in the documentation, and put them there' },
  },
});
const { readme } = values;

await run(async () => {
  await ensureBuild();
  const browser = await requireBrowser();
  // Pictures of an earlier run would look like current ones.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const names = readme ? shown.map((file) => file.replace(picture, '$1')) : operands;
  const chosen = names.length === 0 ? [] : ['-t', `(^|\\s)(${names.map(escaped).join('|')}), in`];
  const ended = await runVitest(['run', '--project', 'e2e', 'test/e2e/pictures', ...chosen], {
    limitMs,
    browser,
    env: { BROADSHEET_PICTURES: '1', NODE_OPTIONS: `--import=${slowClock}` },
  });
  const taken = readdirSync(folder).filter((file) => picture.test(file)).length;
  if (ended.timedOut)
    throw new Failure(`The pictures timed out after ${limitMs / 60_000} minutes; ${taken} were taken.`);
  if (taken === 0) throw new Failure(`No picture was taken${names.length > 0 ? `: no scene is called so` : ''}.`);
  if (ended.code !== 0) throw new Failure(`Some pictures are missing, see above; ${taken} were taken.`);
  if (readme) for (const file of shown) copyFileSync(join(folder, file), inProject('docs', 'screenshots', file));
  say(`${taken} pictures in ${folder}`);
});

/** @param {string} name */
function escaped(name) {
  return name.replace(/[^\w-]/g, (sign) => `\\${sign}`);
}
