import { fstatSync } from 'node:fs';

export type ShutdownSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'the launcher ended' | 'stdin was closed';

/**
 * In ms; longer than an engine's own limit. Native code can hold a thread until then, and `process.exit` would wait for
 * it. The files survive a kill, as they survive a power failure.
 */
const LIMIT = 1_800;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls back at the first signal only. If the process has not closed within two seconds, it kills itself. */
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

/** A pipe closes when the parent dies, even without a signal; a terminal or /dev/null (cron, systemd) does not. */
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
