import type { Failure } from '../../../src-main/contract/errors.ts';
import type { SyncProgress } from '../../../src-main/contract/model/sync-status.ts';

/** The first download of the selected items, as far as the feed shows it. The state of the sync is one. */
export interface FirstDownload {
  /** Whether it is still to be finished. */
  readonly firstCopy: boolean;
  readonly running: boolean;
  readonly failure: Failure | null;
  readonly selected: { readonly progress: SyncProgress | null } | null;
}
