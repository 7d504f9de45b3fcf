const intervalMs = 250;
/** Read at the start, because the launcher may end before it is watched. */
const launcher = process.ppid;

/**
 * Calls back once when the process that launched this one has ended. npm runs scripts in a shell and sends signals to that
 * shell only; the shell ends without notifying its child, which would keep running with its port and data folder. A process
 * started without npm may outlive its launcher (nohup), so it is not watched. On Windows, where the parent id does not
 * change, this never calls back.
 * @param {() => void} gone
 * @returns {() => void} stops watching
 */
export function whenLauncherIsGone(gone) {
  if (!process.env['npm_lifecycle_event']) return () => undefined;
  const watch = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(watch);
    gone();
  }, intervalMs);
  watch.unref();
  return () => clearInterval(watch);
}
