import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** ms. */
const HANGS_AFTER = 120_000;

/** Returns the next message of a process. Throws if it ended before, or sent nothing for two minutes: then it is killed. */
export async function answerOf(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  const timer = setTimeout(() => child.kill('SIGKILL'), HANGS_AFTER);
  const ended = once(child, 'exit', { signal }).then(([code, by]) => {
    throw new Error(by === 'SIGKILL' ? 'A process hangs.' : `A process ended: ${String(code ?? by)}.`);
  });
  ended.catch(() => undefined);
  try {
    return ((await Promise.race([once(child, 'message', { signal }), ended])) as unknown[])[0];
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

export async function ask<T>(child: ChildProcess, message: object | string): Promise<T> {
  const answered = answerOf(child);
  child.send(message);
  return (await answered) as T;
}
