export interface TimeoutSignal {
  /** Aborts with the reason `timeout` or `aborted`. */
  signal: AbortSignal;
  release(): void;
}

/** A signal that aborts after `ms` or with any of `signals`. `release` removes its timer and listeners. */
export function createTimeoutSignal(ms: number, signals: readonly (AbortSignal | undefined)[]): TimeoutSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort('aborted');
  const timer = setTimeout(() => controller.abort('timeout'), ms);
  for (const signal of signals) {
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      for (const signal of signals) signal?.removeEventListener('abort', abort);
    },
  };
}
