// `npm run check`: lint, types, components, format and known weaknesses, side by side; prints what failed.
import './setup/node_gate.mjs';
import { auditDependencies } from './setup/audit.mjs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { runCommand } from './setup/failure.mjs';
import { say } from './setup/progress.mjs';
import { inProject } from './setup/project.mjs';
import { runProjectNode } from './setup/project_node.mjs';

const checkLimitMs = 15 * 60_000;

/** @type {readonly (readonly [title: string, tool: string, ...args: string[]])[]} */
const checks = [
  ['lint', 'eslint/bin/eslint.js', '--max-warnings', '0', '.'],
  ['types', 'typescript/bin/tsc', '--project', '.'],
  // Code that runs inside the page needs the page's types; the rest must not see them.
  ['types of the end-to-end tests', 'typescript/bin/tsc', '--project', 'test/e2e'],
  [
    'page and its tests',
    'svelte-check/bin/svelte-check',
    '--tsconfig',
    'test/renderer/tsconfig.json',
    '--fail-on-warnings',
  ],
  ['format', 'prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
];

/** @param {(typeof checks)[number]} check */
async function passes([title, tool, ...args]) {
  const ended = await runProjectNode([inProject('node_modules', tool), ...args], {
    limitMs: checkLimitMs,
    output: 'keep',
  });
  const passed = ended.code === 0;
  say(`${title}: ${passed ? 'passed' : ended.timedOut ? 'took too long' : 'failed'}`);
  if (!passed) process.stdout.write(`${ended.output.trimEnd()}\n`);
  return passed;
}

/** Where nobody can be asked, the check says so and does not stand in the way. */
async function passesAudit() {
  const { asked, grave } = await auditDependencies();
  if (!asked) say('known weaknesses of dependencies: not asked, for the package registry gives no answer here');
  else say(`known weaknesses of dependencies: ${grave.length === 0 ? 'none' : 'failed'}`);
  for (const line of grave) process.stdout.write(`${line}\n`);
  return grave.length === 0;
}

await runCommand(async () => {
  await ensureDependencies();
  const results = await Promise.all([...checks.map(passes), passesAudit()]);
  return results.every(Boolean) ? 0 : 1;
});
