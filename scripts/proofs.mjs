// `npm run proofs`: in full what `npm test` does in a short form: the simulated month, every kill, all pictures.
// With `--if-changed` only where the inputs are not those of test/proven.json.
import './setup/node-gate.mjs';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ensureBrowser } from './setup/browser-download.mjs';
import { ensureBuild } from './setup/build.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { runCommand } from './setup/failure.mjs';
import { contentHash } from './setup/inputs.mjs';
import { say } from './setup/progress.mjs';
import { inProject } from './setup/project.mjs';
import { runVitest } from './setup/vitest.mjs';

const limitMs = 40 * 60_000;
const recordFile = inProject('test', 'proven.json');
const shared = ['src-main', 'scripts', 'test/support', 'package-lock.json', 'vitest.config.ts', 'tsconfig.json'];

/** By the name of the vitest project. Whatever can change a result is an input; a folder too many costs a run at most. */
const inputs = {
  main: [...shared, 'test/core', 'test/sync'],
  e2e: [...shared, 'test/e2e', 'src-renderer', 'resources', 'svelte.config.js', 'electron.vite.config.ts'],
};

/** @returns {Record<string, string>} the mark of the inputs with which each project passed last */
function readRecord() {
  return existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, 'utf8')) : {};
}

/**
 * @param {string} project
 * @param {string | null} browser
 */
async function prove(project, browser) {
  // Whatever test asks whether this is the whole run.
  const args = ['related', '--run', '--project', project, 'test/support/proofs.ts'];
  const ended = await runVitest(args, { limitMs, browser, env: { BROADSHEET_PROOFS: '1' } });
  if (ended.timedOut) say(`The proofs were stopped: they took longer than ${limitMs / 60_000} minutes.`);
  return ended.code === 0;
}

/** @param {readonly string[]} projects */
async function proveAll(projects) {
  await ensureBuild();
  const browser = projects.includes('e2e') ? await ensureBrowser() : null;
  const proven = [];
  for (const project of projects) {
    // Without a browser its suites skip themselves, which proves nothing.
    if ((await prove(project, browser)) && (project !== 'e2e' || browser !== null)) proven.push(project);
    else say(`${project}: not proven`);
  }
  return proven;
}

await runCommand(async () => {
  await ensureDependencies();
  const record = readRecord();
  const marks = Object.entries(inputs).map(
    ([project, paths]) => /** @type {const} */ ([project, contentHash(inProject(), paths)]),
  );
  const all = !process.argv.includes('--if-changed');
  const wanted = marks.filter(([project, mark]) => all || record[project] !== mark).map(([project]) => project);
  if (wanted.length === 0) say('Nothing has changed since the proofs passed.');
  const proven = wanted.length === 0 ? [] : await proveAll(wanted);
  for (const [project, mark] of marks) if (proven.includes(project)) record[project] = mark;
  if (proven.length > 0) writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`);
  return proven.length === wanted.length ? 0 : 1;
});
