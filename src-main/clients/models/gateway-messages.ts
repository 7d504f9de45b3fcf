import type { ModelListName } from '../../contract/model/resource.ts';
import { withDetail } from '../http/problem.ts';
import type { ServiceError } from '../http/service-error.ts';

const TO_DO = {
  addKey: 'Add a key in Settings.',
  changeKey: 'Enter a valid one in Settings.',
} as const;

/**
 * The message for an error response of a gateway (document 2 section 7). Null where a gateway has no message of its own;
 * the general one applies then.
 */
export function gatewayMessage(modelList: ModelListName, error: ServiceError, hasKey: boolean): string | null {
  const message = error.status === null ? null : messageFor(error.status, modelList, hasKey);
  return message === null ? null : withDetail(message, error.detail);
}

function messageFor(status: number, modelList: ModelListName, hasKey: boolean): string | null {
  const what = modelList === 'models' ? 'models' : 'embedding models';
  switch (status) {
    case 400:
      return `The gateway rejected the request for its ${what}. If this keeps happening, Broadsheet may be too old for it: check for an update.`;
    case 401:
      return hasKey
        ? `The gateway rejected the key: it may be mistyped, expired or revoked. ${TO_DO.changeKey}`
        : `The gateway lists its ${what} only with a key. ${TO_DO.addKey}`;
    case 403:
      return hasKey
        ? `This key cannot list the ${what}: only management keys can. Enter a management key in Settings.`
        : `The gateway does not list its ${what} without a key. ${TO_DO.addKey}`;
    case 404:
      return `The gateway has no list of ${what} at this address. Check the gateway address in Settings.`;
    case 500:
      return `The gateway failed to list its ${what}. Broadsheet tries again automatically.`;
    default:
      return null;
  }
}
