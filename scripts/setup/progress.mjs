const heartbeatMs = 20_000;

/**
 * Prints one line to stderr, so that stdout has only the command's output.
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs a long step of the setup, and prints a line at its start, at its end and in between.
 * @template T
 * @param {string} title such as "Building the app"
 * @param {() => Promise<T>} work
 * @param {() => string} progress
 * @returns {Promise<T>}
 */
export async function step(title, work, progress = () => 'still running') {
  const begun = Date.now();
  const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`;
  say(`${title} ...`);
  const heartbeat = setInterval(() => say(`  ${progress()} after ${seconds()}`), heartbeatMs);
  try {
    const result = await work();
    say(`  done in ${seconds()}`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}
