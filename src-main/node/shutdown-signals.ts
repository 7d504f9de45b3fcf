import { fstatSync } from 'node:fs';

/** In ms; longer than an engine's own limit. The files survive a kill, as they survive a power failure. */
const LIMIT = 1_800;

let isInterrupted = false;
const removals: (() => void)[] = [];

/** A shell leaves a loop at Ctrl+C only if its command has ended by that signal. */
export function endIfInterrupted(): void {
  if (!isInterrupted || process.platform === 'win32') return;
  process.removeAllListeners('SIGINT');
  process.kill(process.pid, 'SIGINT');
}

/**
 * Calls back at the first signal. A process that then has not ended within two seconds kills itself, because
 * `process.exit` would wait for threads in native code.
 */
export function onShutdownSignal(callback: () => void, { watchStdin }: { watchStdin: boolean }): void {
  let seen = false;
  const stop = () => {
    if (seen) return;
    seen = true;
    setTimeout(() => {
      endIfInterrupted();
      process.kill(process.pid, 'SIGKILL');
    }, LIMIT).unref();
    callback();
  };
  const stopBy = (signal: NodeJS.Signals): void => {
    isInterrupted ||= signal === 'SIGINT';
    stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) listen(process, signal, stopBy);
  // The launcher has the other end of this channel, which closes even if the launcher crashes.
  if (process.connected) listen(process, 'disconnect', stop);
  if (!watchStdin || !isPiped(0)) return;
  for (const end of ['end', 'close', 'error']) listen(process.stdin, end, stop);
  // A pipe emits `end` only while it is being read.
  process.stdin.resume();
}

/** For the end of a command: a process may run several, and a signal then ends it at once. */
export function stopListening(): void {
  for (const remove of removals.splice(0)) remove();
}

function listen(emitter: NodeJS.EventEmitter, event: string, listener: (signal: NodeJS.Signals) => void): void {
  emitter.on(event, listener);
  removals.push(() => emitter.off(event, listener));
}

/** A pipe closes when the parent dies, even without a signal; a terminal or /dev/null (cron, systemd) doesn't. */
function isPiped(descriptor: number): boolean {
  try {
    const stdin = fstatSync(descriptor);
    return stdin.isFIFO() || stdin.isSocket();
  } catch {
    return false;
  }
}
