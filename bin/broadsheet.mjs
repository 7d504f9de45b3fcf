#!/usr/bin/env node
// The command line: sets up what is missing, then hands over to src-main/node/cli.ts under the project's own Node.
import '../scripts/setup/node-gate.mjs';
import { spawn } from 'node:child_process';
import { ensureBuild } from '../scripts/setup/build.mjs';
import { forwardSignals } from '../scripts/setup/child.mjs';
import { ensureDependencies } from '../scripts/setup/dependencies.mjs';
import { runCommand } from '../scripts/setup/failure.mjs';
import { ensureMessages } from '../scripts/setup/messages.mjs';
import { inProject } from '../scripts/setup/project.mjs';
import { projectEnvironment, projectNode } from '../scripts/setup/project-node.mjs';

/**
 * Runs the command line to its end. The extra channel carries no message: it closes when this process dies, however it
 * dies, and the child takes that as its sign to stop.
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
function handOver(args) {
  const child = spawn(projectNode, [inProject('src-main', 'node', 'cli.ts'), ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: projectEnvironment(),
  });
  const stopForwarding = forwardSignals((signal) => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      stopForwarding();
      resolve(code ?? 1);
    });
  });
}

await runCommand(async () => {
  const args = process.argv.slice(2);
  await ensureDependencies();
  await ensureMessages();
  // Only `serve` shows a page.
  if (args.includes('serve')) await ensureBuild();
  return handOver(args);
});
