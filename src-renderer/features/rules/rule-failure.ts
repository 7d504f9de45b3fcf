import { errorMessages, failureReasons, messageFor } from '../../../src-main/common/i18n/labels.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { RuleProblem } from '../../../src-main/contract/model/search.ts';

/** Explains in the reader's language why a rule was refused. A reason of a newer core keeps its own text. */
export function ruleFailure(failure: Failure | RuleProblem): string {
  const reason = messageFor(failureReasons, failure.reason ?? '');
  return reason ?? ('code' in failure ? errorMessages[failure.code]() : failure.message);
}
