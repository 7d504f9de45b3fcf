#!/usr/bin/env node
// The command line. In a checkout it first installs and builds what is missing; in a package that npm installed, everything is
// there. It then runs with the project's Node.
import '../scripts/setup/node-gate.mjs';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { forwardSignals } from '../scripts/setup/child.mjs';
import { Failure, Interrupted, runCommand } from '../scripts/setup/failure.mjs';
import { inProject, isCheckout } from '../scripts/setup/project.mjs';
import { appFlags, projectEnvironment, projectNode, whyNoProjectNode } from '../scripts/setup/project-node.mjs';

const cli = inProject('out', 'node', 'cli.js');

/**
 * Runs the command line. The IPC channel carries no messages: it closes when this process ends, even after a crash, and the
 * child then stops.
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
function runCli(args) {
  /** @type {NodeJS.Signals | undefined} */
  let stoppedBy;
  const stopForwarding = forwardSignals((signal) => {
    stoppedBy = signal;
    child.kill(signal);
  });
  const child = spawn(projectNode, [...appFlags, cli, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc', ...pipesIn(args)],
    env: projectEnvironment(),
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      stopForwarding();
      if (code === null && stoppedBy) reject(new Interrupted(stoppedBy));
      else resolve(code ?? 1);
    });
  });
}

/**
 * Passes on the pipes that a shell opens for `>(gzip > file)`, at the same numbers, which are above 9.
 * @param {readonly string[]} args
 */
function pipesIn(args) {
  const numbers = args
    .flatMap((arg) => /(?:^|=)\/(?:dev|proc\/self)\/fd\/([1-9]\d{1,2})$/.exec(arg)?.[1] ?? [])
    .map(Number);
  const above = Array.from({ length: Math.max(3, ...numbers) - 3 }, (_, index) => index + 4);
  return above.map((number) => (numbers.includes(number) ? number : /** @type {const} */ ('ignore')));
}

function checkPackage() {
  const missing = whyNoProjectNode(existsSync(projectNode));
  if (missing !== null) throw new Failure(missing);
  if (!existsSync(cli)) throw new Failure('This package was packed without its build. Pack it with `npm run pack`.');
}

await runCommand(async () => {
  const args = process.argv.slice(2);
  if (isCheckout) await (await import('../scripts/setup/checkout.mjs')).prepareCheckout(args);
  else checkPackage();
  return runCli(args);
});
