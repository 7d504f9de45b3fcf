import './setup/node-gate.mjs';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ensureDependencies } from './setup/dependencies.mjs';
import { runCommand } from './setup/failure.mjs';
import { filesAt } from './setup/inputs.mjs';
import { readOptions } from './setup/options.mjs';
import { say } from './setup/progress.mjs';
import { inProject, projectRoot } from './setup/project.mjs';

const table = 'docs/requirements/coverage.md';

const { values } = readOptions({
  name: 'requirements',
  about: `Writes ${table}: the facts in the services' documents, and the tests that hold them. Fails if a fact
has no test, or if something cites a section or an observed fact that is not listed.`,
  options: { check: { type: 'boolean', about: 'write nothing, and fail if the table is out of date' } },
});

await runCommand(async () => {
  await ensureDependencies();
  const { readCitations, readCoverage } = await import('./requirements/project.mjs');
  const { text, problems } = readCoverage(projectRoot, filesAt(projectRoot, ['test']));
  problems.push(
    ...readCitations(projectRoot, filesAt(projectRoot, ['docs', 'scripts', 'src-main', 'src-renderer', 'test'])),
  );
  const isCurrent = existsSync(inProject(table)) && readFileSync(inProject(table), 'utf8') === text;
  if (!values.check) writeFileSync(inProject(table), text);
  else if (!isCurrent) problems.push(`${table} is out of date: run "npm run requirements"`);
  for (const problem of problems) say(problem);
  return problems.length === 0 ? 0 : 1;
});
