#!/usr/bin/env node
// The command line: installs and builds what is missing, then runs it with the project's Node.
import '../scripts/setup/node-gate.mjs';
import { spawn } from 'node:child_process';
import { ensureBuild } from '../scripts/setup/build.mjs';
import { forwardSignals } from '../scripts/setup/child.mjs';
import { ensureDependencies } from '../scripts/setup/dependencies.mjs';
import { runCommand } from '../scripts/setup/failure.mjs';
import { ensureMessages } from '../scripts/setup/messages.mjs';
import { ensureNodeBundle, nodeCli } from '../scripts/setup/node-bundle.mjs';
import { projectEnvironment, projectNode } from '../scripts/setup/project-node.mjs';

/**
 * Runs the command line. The IPC channel carries no messages: it closes when this process ends, even after a crash, and the
 * child then stops.
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
function runCli(args) {
  const child = spawn(projectNode, [nodeCli, ...args], {
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
  await ensureNodeBundle();
  // Only `serve` needs the page.
  if (args.includes('serve')) await ensureBuild();
  return runCli(args);
});
