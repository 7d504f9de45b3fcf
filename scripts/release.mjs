import './setup/node-gate.mjs';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { notesOf, releasedIn } from './packaging/changelog.mjs';
import { runChild } from './setup/child.mjs';
import { ensureDependencies, runNpm } from './setup/dependencies.mjs';
import { Failure, runCommand } from './setup/failure.mjs';
import { readOptions } from './setup/options.mjs';
import { inProject } from './setup/project.mjs';

const gitLimitMs = 60_000;
const buildLimitMs = 90 * 60_000;
const changelogFile = inProject('CHANGELOG.md');
const manPage = 'src-main/node/commands/man-page.ts';
const folder = inProject('installers');
const changed = ['CHANGELOG.md', 'package.json', 'package-lock.json', manPage];

const { values, operands } = readOptions({
  name: 'release',
  about: 'Numbers a version, builds it for this system, and commits and tags it here. Pushes and publishes nothing.',
  operands: { name: 'VERSION', about: 'such as 1.2.0, higher than the last' },
  options: {
    'no-installers': { type: 'boolean', about: 'only the package of the command line, where Electron can’t be had' },
  },
});
const [version = ''] = operands;
const tag = `v${version}`;

/** @param {readonly string[]} args */
async function git(...args) {
  const { code, output } = await runChild('git', args, { limitMs: gitLimitMs, output: 'keep', cwd: inProject() });
  if (code !== 0) throw new Failure(`git ${args[0]} failed.`, { details: output });
  return output.trim();
}

/** @param {string} script @param {readonly string[]} args */
async function build(script, ...args) {
  const ended = await runChild(process.execPath, [inProject('scripts', script), ...args], {
    limitMs: buildLimitMs,
    output: 'show',
  });
  if (ended.code !== 0) throw new Failure(`${script} failed, so nothing is released.`);
}

/** @returns {Promise<string>} the notes of the version, as Markdown */
async function check() {
  if (operands.length !== 1 || !/^\d+\.\d+\.\d+$/.test(version))
    throw new Failure('Name the version: npm run release -- 1.2.0');
  const { version: last } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  if (version.localeCompare(last, 'en', { numeric: true }) <= 0)
    throw new Failure(`The version must be higher than ${last}.`);
  if ((await git('status', '--porcelain')) !== '') throw new Failure('Commit your changes first, or put them aside.');
  if ((await git('tag', '--list', tag)) !== '') throw new Failure(`There is a tag ${tag} already.`);
  const notes = notesOf(readFileSync(changelogFile, 'utf8'));
  if (notes === '') throw new Failure('CHANGELOG.md says nothing of this version, below “Unreleased”.');
  return notes;
}

/** Writes the sums of what was built, as `sha256sum --check` reads them. */
function writeSums() {
  const built = readdirSync(folder).filter((name) => name.includes(version));
  const sums = built.map((name) => {
    const hash = createHash('sha256').update(readFileSync(join(folder, name)));
    return `${hash.digest('hex')}  ${name}\n`;
  });
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  return built;
}

await runCommand(async () => {
  const notes = await check();
  await ensureDependencies();
  mkdirSync(folder, { recursive: true });
  try {
    const numbered = await runNpm(['version', version, '--no-git-tag-version'], gitLimitMs);
    if (numbered.code !== 0) throw new Failure('npm could not write the version.', { details: numbered.output });
    const date = new Date().toISOString().slice(0, 10);
    writeFileSync(changelogFile, releasedIn(readFileSync(changelogFile, 'utf8'), { version, date }));
    const page = readFileSync(inProject(manPage), 'utf8');
    writeFileSync(inProject(manPage), page.replace(/^(const RELEASED = )'.*'/m, `$1'${date}'`));
    if (!values['no-installers']) await build('installers.mjs');
    await build('pack.mjs', '--out', folder);
  } catch (error) {
    await git('checkout', '--', ...changed);
    throw error;
  }
  const built = writeSums();
  const notesFile = join(folder, 'notes.md');
  writeFileSync(notesFile, `${notes}\n`);
  await git('commit', '--message', `Release ${version}`, '--', ...changed);
  await git('tag', '--annotate', tag, '--cleanup=verbatim', '--file', notesFile);
  console.log([`In installers/: ${built.join(', ')}, SHA256SUMS, notes.md`, signing()].join('\n'));
  console.log(`Tagged ${tag}. To publish it: git push origin HEAD ${tag}`);
  return 0;
});

function signing() {
  return process.env['CSC_LINK'] || process.env['WIN_CSC_LINK']
    ? 'Signing: a certificate is configured.'
    : 'Signing: no certificate is configured (CSC_LINK), so systems will warn; see docs/packaging.md.';
}
