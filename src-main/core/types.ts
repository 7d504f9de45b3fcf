import type { Target } from '../contract/targets.ts';
import type { Wire } from '../contract/wire.ts';

/** All of Broadsheet except the host. */
export interface Core {
  wire: Wire;
  /** Shows a view in the page: for a deep link, a notification or the tray. */
  goTo(target: Target): void;
  /** Reports an unexpected error in the host. */
  reportProblem(error: unknown): void;
  /** Starts polling. */
  start(): void;
  /** Cancels requests, completes pending writes and closes the files. Later calls fail with `closed`. */
  close(): Promise<void>;
}
