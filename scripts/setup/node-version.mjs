/** The oldest Node that may start a command. What it then runs is the project's own Node. */
const oldestNode = 20;

/**
 * Why this Node cannot start the project's commands, or null where it can.
 * @param {string} version such as "18.19.1"
 * @returns {string | null}
 */
export function tooOldNode(version) {
  const major = Number.parseInt(version, 10);
  if (major >= oldestNode) return null;
  return `Node ${version} is too old: Broadsheet needs Node ${oldestNode} or newer to start. Get it from https://nodejs.org.`;
}
