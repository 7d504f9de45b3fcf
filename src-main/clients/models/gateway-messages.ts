import type { ModelListName } from '../../contract/model/resource.ts';
import { withDetail } from '../http/problem.ts';
import type { ServiceError } from '../http/service-error.ts';

const TO_DO = {
  addKey: 'Add a key in Settings.',
  changeKey: 'Enter a valid one in Settings.',
} as const;

/**
 * The words for what a gateway refuses (document 2 section 7): what happened, and what to do. Null for what is no refusal of
 * its own kind; the error then has the words of any service.
 */
export function gatewayMessage(modelList: ModelListName, error: ServiceError, hasKey: boolean): string | null {
  const words = error.status === null ? null : wordsFor(error.status, modelList, hasKey);
  return words === null ? null : withDetail(words, error.detail);
}

function wordsFor(status: number, modelList: ModelListName, hasKey: boolean): string | null {
  const what = modelList === 'models' ? 'models' : 'embeddings models';
  switch (status) {
    case 400:
      return `The gateway did not accept the request for its ${what}. If this stays so, this version of Broadsheet may be too old for it.`;
    case 401:
      return hasKey
        ? `The gateway does not take the key: it may be mistyped, expired or withdrawn. ${TO_DO.changeKey}`
        : `The gateway lists its ${what} only to those who have a key. ${TO_DO.addKey}`;
    case 403:
      return hasKey
        ? `This key may not list the ${what}: only management keys may. Enter a management key in Settings.`
        : `The gateway does not list its ${what} without a key. ${TO_DO.addKey}`;
    case 404:
      return `The gateway has no modelList of ${what} at this address. Check the gateway's address in Settings.`;
    case 500:
      return `The gateway failed to list its ${what}, through no fault of the request. Broadsheet tries again by itself.`;
    default:
      return null;
  }
}
