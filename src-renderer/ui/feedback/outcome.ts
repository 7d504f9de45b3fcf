import type { Failure } from '../../../src-main/contract/errors.ts';

/** What came of a task, or what is said while it is on its way. */
export type Outcome = { text: string } | { failure: Failure };
