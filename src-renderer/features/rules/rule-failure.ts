import { errorMessages, failureReasons } from '../../../src-main/common/i18n/labels/errors.ts';
import { messageFor } from '../../../src-main/common/i18n/labels/message.ts';
import type { Failure } from '../../../src-main/contract/errors.ts';
import type { RuleProblem } from '../../../src-main/contract/model/rules.ts';

/** Why a rule could not be changed or used, in the reader's language. A reason of a newer core has its own words. */
export function ruleFailure(failure: Failure | RuleProblem): string {
  const reason = messageFor(failureReasons, failure.reason ?? '');
  return reason ?? ('code' in failure ? errorMessages[failure.code]() : failure.message);
}
