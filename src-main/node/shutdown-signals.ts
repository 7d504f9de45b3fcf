import { fstatSync } from 'node:fs';

/** Every way in which this process can be asked to stop, in words for the log. */
export type ShutdownSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'the launcher is gone' | 'stdin was closed';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls back at the first sign to stop; later ones are swallowed, for the command is closing already. */
export function onShutdownSignal(
  callback: (sign: ShutdownSignal) => void,
  { watchStdin }: { watchStdin: boolean },
): void {
  let seen = false;
  const stop = (sign: ShutdownSignal) => {
    if (!seen) callback(sign);
    seen = true;
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  // The launcher holds the other end of this channel; it breaks however the launcher dies.
  if (process.connected) process.on('disconnect', () => stop('the launcher is gone'));
  if (watchStdin && isPiped(0)) watchPipe(() => stop('stdin was closed'));
}

/**
 * A parent that gave us a pipe may die without a signal, and then the pipe closes. A terminal or /dev/null (cron, systemd,
 * nohup) says nothing about a parent, so they are left alone.
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
  // A pipe tells of its end only while it is read.
  process.stdin.resume();
}
