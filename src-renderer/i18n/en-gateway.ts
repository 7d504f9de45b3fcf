import type { ErrorCode } from '../../src-main/contract/errors.ts';
import { plural } from './plural.ts';

const count = (n: number, one: string, other: string): string => plural('en', n, { one, other });

/** Codes that mean something else of the gateway than of the news. */
const failures = {
  unauthorized: 'The gateway requires a key, or the current key is invalid. Enter a key in Settings > Models.',
  forbidden: 'The key is valid but isn’t allowed to list models. Use a management key.',
  not_found: 'The gateway has no model list at this address. Check the address in Settings > Models.',
  unreachable: 'Can’t reach the gateway. Check your connection, or its address in Settings > Models.',
} satisfies Partial<Record<ErrorCode, string>>;

/** The words of the gateway, its key, and the models that the news name. */
export const enGateway = {
  gateway: {
    address: 'Gateway address',
    addressHint:
      'Regional addresses list only models available in that region. Leave empty for no gateway; with the demo news, the demo gateway is used.',
    fromOption: 'Set by the --models option for this session.',
    fromEnvironment: 'Set by the BROADSHEET_MODELS_URL environment variable.',
    testOk: (n: number) => count(n, 'Connected. # embedding model.', 'Connected. # embedding models.'),
    testNoList: 'Connected. A key is required to list models.',
    demo: 'The demo gateway has invented models and its own public key. Your keys are never sent to it.',
    readFailed: 'Model sync failed',
    failures,
  },
  key: {
    title: 'Key',
    none: 'No key saved. Without one only embedding models may be listed.',
    noGateway: 'Save the gateway address first. A key belongs to one address.',
    endsIn: (lastFour: string) => `Key ending in …${lastFour}`,
    tooShort: 'A key is set, but it is too short to show any part of it.',
    places: {
      keychain: 'Saved in the system keychain.',
      thisRun: 'Held in memory until you quit Broadsheet.',
      environment: 'Set by the BROADSHEET_MODELS_KEY environment variable.',
    },
    willBe: {
      keychain: 'The key is saved in the system keychain and sent only to the gateway.',
      thisRun: 'The key is held in memory until you quit Broadsheet and sent only to the gateway.',
    },
    reasons: {
      host: 'The system keychain isn’t available in a browser. To provide a key at every start, set the BROADSHEET_MODELS_KEY environment variable.',
      unavailable: 'The system keychain isn’t available right now.',
      plainText: 'This system has no keychain, so the key would be saved as plain text.',
    },
    sentTo: (origin: string) => `Sent only to ${origin}.`,
    insecure:
      'The key isn’t sent. The gateway address must use https or be on this computer, or others could read the key.',
    otherOrigin: (given: string, now: string) => `This key was saved for ${given}. Use it for ${now} too?`,
    allow: 'Use key',
    notUsed: (given: string) => `Saved for ${given}. It isn’t sent anywhere now.`,
    label: 'Enter a key',
    replace: 'Enter a new key',
    save: 'Save and test',
    trying: 'Testing the key…',
    accepted: 'The key works.',
    removed: 'Key removed.',
    remove: 'Remove key',
    unknown: 'Invalid key (401).',
    mayNotList: 'The key is valid but isn’t allowed to list models (403). Use a management key.',
    malformed: 'A key has 1 to 512 letters, digits or symbols, and no spaces.',
    untried: 'Key saved, but it couldn’t be tested:',
    refused: 'The key wasn’t saved, and the field was cleared for security.',
    notAllowed: 'The key isn’t used for the new address.',
  },
  mention: {
    label: 'Models in this item',
    possible: 'Possible match',
    possibleHint: 'Matched by words in the text. It may be a different model.',
    inRow: (name: string) => `May mention ${name}`,
    inRowMore: (name: string, n: number) =>
      count(n, `May mention ${name} and # more model`, `May mention ${name} and # more models`),
    input: (price: string) => `In ${price}`,
    output: (price: string) => `Out ${price}`,
    aMillion: (price: string) => `${price} per million`,
    context: (tokens: string) => `Context ${tokens}`,
    free: 'free',
    noPrice: 'No price available',
    unclear: 'unknown',
  },
};
