const lookEveryMs = 250;
/** As it was when this process began: it may be gone before anybody watches. */
const launcher = process.ppid;

/**
 * InFlight back once when the process that launched this one has died. npm runs a script in a shell and passes the signals
 * that it gets on to that shell alone; the shell dies of them without a word to its child, which would live on unseen with
 * its port and its data folder. Whoever is started without npm may outlive a launcher (nohup), and is not watched.
 * Where a parent's death changes nothing that can be seen (Windows) this never calls back.
 * @param {() => void} gone
 * @returns {() => void} stops watching
 */
export function whenLauncherIsGone(gone) {
  if (!process.env['npm_lifecycle_event']) return () => undefined;
  const watch = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(watch);
    gone();
  }, lookEveryMs);
  watch.unref();
  return () => clearInterval(watch);
}
