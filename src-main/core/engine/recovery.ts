import { BroadsheetError, logFields } from '../../contract/errors.ts';
import type { Clock, Log } from '../../contract/ports.ts';

/** Before reopening the files; the last one is repeated, as in `REVIVAL_PAUSES`. */
const PAUSES = [250, 500, 1_000, 2_000, 5_000, 10_000, 30_000];
const GIVE_UP_AFTER_MS = 30_000;
/** An engine that ran for less is restarted with a pause. */
const SOON_AGAIN_MS = 60_000;
const REVIVAL_PAUSES = [15_000, 30_000, 60_000, 300_000, 600_000];

interface RecoveryPorts {
  clock: Clock;
  log: Log;
  gaveUp(error: unknown): void;
}

/** Retries opening files and starting the engine, less and less often, without end. */
export class Recovery {
  readonly #ports: RecoveryPorts;
  #failure: { since: number; attempts: number; error: unknown; told: boolean } | null = null;
  #revivals: { at: number; soon: number } | null = null;
  #cancel: () => void = () => undefined;
  #stopped = false;

  constructor(ports: RecoveryPorts) {
    this.#ports = ports;
  }

  /** Always retryable, because opening is retried. */
  get failure(): BroadsheetError | null {
    const error = this.#failure?.error;
    if (!(error instanceof BroadsheetError)) return null;
    return new BroadsheetError(error.code, error.message, { retryable: true, cause: error });
  }

  filesFailed(error: unknown, attempt: () => void): void {
    const now = this.#ports.clock.now();
    const failure = (this.#failure ??= { since: now, attempts: 0, error, told: false });
    failure.error = error;
    failure.attempts += 1;
    this.#ports.log('warn', 'The data files could not be opened again', {
      ...logFields(error),
      attempts: failure.attempts,
    });
    const lasts = now - failure.since >= GIVE_UP_AFTER_MS;
    if (!failure.told && (lasts || isLasting(error))) {
      failure.told = true;
      this.#ports.gaveUp(error);
    }
    this.#plan(PAUSES[failure.attempts - 1] ?? PAUSES.at(-1) ?? 0, attempt);
  }

  filesOpened(): void {
    this.#failure = null;
    this.#cancel();
  }

  /** Returns the pause in ms before the restart. */
  engineStopped(start: () => void): number {
    const now = this.#ports.clock.now();
    const last = this.#revivals;
    const isSoon = last !== null && now - last.at < SOON_AGAIN_MS;
    const soon = isSoon ? last.soon + 1 : 0;
    const pause = soon === 0 ? 0 : (REVIVAL_PAUSES[soon - 1] ?? REVIVAL_PAUSES.at(-1) ?? 0);
    this.#revivals = { at: now + pause, soon };
    if (pause === 0) start();
    else this.#plan(pause, start);
    return pause;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #plan(pause: number, work: () => void): void {
    this.#cancel();
    if (!this.#stopped) this.#cancel = this.#ports.clock.after(pause, work);
  }
}

/** Only another version of Broadsheet can help. */
function isLasting(error: unknown): boolean {
  return error instanceof BroadsheetError && error.code === 'data_newer';
}
