/**
 * Works through a long list in steps, with a turn of the event loop between two, so that other work of this thread goes
 * on. Errors: those of `work`, after which the rest is left.
 */
export async function inSteps<T>(list: readonly T[], size: number, work: (part: readonly T[]) => void): Promise<void> {
  for (let from = 0; from < list.length; from += size) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve));
    work(list.slice(from, from + size));
  }
}
