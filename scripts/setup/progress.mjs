const heartbeatMs = 20_000;

/**
 * One line for the person who waits. Standard error, so that a command's own output stays clean.
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Does a piece of set-up that takes a while, with a line at its start, at its end and now and then between.
 * @template T
 * @param {string} title such as "Building the app"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const begun = Date.now();
  const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`;
  say(`${title} ...`);
  const heartbeat = setInterval(() => say(`  still at it after ${seconds()}`), heartbeatMs);
  try {
    const result = await work();
    say(`  done in ${seconds()}`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}
