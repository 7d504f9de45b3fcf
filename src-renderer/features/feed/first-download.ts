import type { Failure } from '../../../src-main/contract/errors.ts';
import type { SyncProgress } from '../../../src-main/contract/model/sync-status.ts';

/** Progress of the first download of the selected items, for the feed. The state of the sync implements it. */
export interface FirstDownload {
  /** True until it is complete. */
  readonly firstCopy: boolean;
  readonly running: boolean;
  readonly failure: Failure | null;
  readonly selected: { readonly progress: SyncProgress | null } | null;
}
