import type { Failure } from '../../../src-main/contract/errors.ts';

/** The result of a task, or the message while it runs. */
export type Outcome = { text: string } | { failure: Failure };
