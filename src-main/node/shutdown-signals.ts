import { fstatSync } from 'node:fs';

/** The reasons to stop, as texts for the log. */
export type ShutdownSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'the launcher ended' | 'stdin was closed';

/**
 * A process that was told to stop ends within this time, in ms. It is longer than an engine's own limit: only native
 * code that holds a thread takes until then, and `process.exit` would wait for it. The files survive that, as they
 * survive a power failure.
 */
const LIMIT = 1_800;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls back at the first signal. Later ones are ignored, because the command is already closing. If it has not closed
 * within two seconds, the process kills itself.
 */
export function onShutdownSignal(
  callback: (signal: ShutdownSignal) => void,
  { watchStdin }: { watchStdin: boolean },
): void {
  let seen = false;
  const stop = (signal: ShutdownSignal) => {
    if (seen) return;
    seen = true;
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), LIMIT).unref();
    callback(signal);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  // The launcher has the other end of this channel, which closes even if the launcher crashes.
  if (process.connected) process.on('disconnect', () => stop('the launcher ended'));
  if (watchStdin && isPiped(0)) watchPipe(() => stop('stdin was closed'));
}

/**
 * If stdin is a pipe, it closes when the parent dies, even without a signal. A terminal or /dev/null (cron, systemd, nohup)
 * does not depend on the parent, so they are not watched.
 */
function isPiped(descriptor: number): boolean {
  try {
    const stdin = fstatSync(descriptor);
    return stdin.isFIFO() || stdin.isSocket();
  } catch {
    return false;
  }
}

function watchPipe(closed: () => void): void {
  for (const end of ['end', 'close', 'error']) process.stdin.once(end, closed);
  // A pipe emits `end` only while it is being read.
  process.stdin.resume();
}
