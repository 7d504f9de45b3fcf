/** The oldest Node that can start a command, which then runs the project's Node. */
const oldestNode = 20;

/**
 * Explains why this Node cannot start the project's commands, or null if it can.
 * @param {string} version such as "18.19.1"
 * @returns {string | null}
 */
export function tooOldNode(version) {
  const major = Number.parseInt(version, 10);
  if (major >= oldestNode) return null;
  return `Node ${version} is too old: Broadsheet needs Node ${oldestNode} or newer to start. Download it from https://nodejs.org.`;
}
