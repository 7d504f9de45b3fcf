import type { Target } from '../contract/targets.ts';
import type { Wire } from '../contract/wire.ts';

/** The whole of Broadsheet without a host. */
export interface Core {
  wire: Wire;
  /** Shows the page a place: for a deep link, a click on a notification, the tray. */
  goTo(target: Target): void;
  /** Tells of a defect that the host met. */
  reportProblem(error: unknown): void;
  /** Begins to poll. */
  start(): void;
  /** Ends requests, finishes what is being written, closes the files. Calls that come later fail with `closed`. */
  close(): Promise<void>;
}
