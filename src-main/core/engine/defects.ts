import { observeDefects } from '../../contract/errors.ts';
import type { Log } from '../../contract/ports.ts';

/** More causes than this are a flood, of which the first ones say enough. */
const MOST_CAUSES = 100;
/** Frames of a stack that identify a cause. */
const FRAMES = 4;

/**
 * From now on, logs every unexpected error of this thread with its stack where it becomes `internal`, once per cause: the
 * failure that crosses to other threads has no stack, because a message may contain anything.
 */
export function logDefects(log: Log): void {
  const known = new Set<string>();
  observeDefects((thrown) => {
    const trace = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    const cause = causeOf(thrown, trace);
    if (known.has(cause) || known.size >= MOST_CAUSES) return;
    known.add(cause);
    log('error', 'Unexpected error', { trace });
  });
}

/** Its kind and place: messages may differ each time. */
function causeOf(thrown: unknown, trace: string): string {
  const frames = trace.split('\n').filter((line) => /^\s+at /.test(line));
  const place = frames.length === 0 ? trace.slice(0, 200) : frames.slice(0, FRAMES).join('\n');
  return `${thrown instanceof Error ? thrown.name : typeof thrown}\n${place}`;
}
