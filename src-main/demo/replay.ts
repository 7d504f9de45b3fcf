/** Returns on each call the events that have come due since the last one. */
export function replay<E extends { at: number }>(events: Generator<E, never>): (now: number) => E[] {
  let next: E | undefined;
  return (now) => {
    const due: E[] = [];
    next ??= events.next().value;
    while (next.at <= now) {
      due.push(next);
      next = events.next().value;
    }
    return due;
  };
}
