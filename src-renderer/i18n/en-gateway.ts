import type { ErrorCode } from '../../src-main/contract/errors.ts';
import { plural } from './plural.ts';

const count = (n: number, one: string, other: string): string => plural('en', n, { one, other });

/** Codes that mean something else of the gateway than of the news. */
const failures = {
  unauthorized: 'The gateway wants a key, or does not know the one it was given. Enter one in Settings, under Models.',
  forbidden: 'The gateway knows the key but does not let it list models: only management keys may.',
  not_found: 'The gateway knows no such listing. Check its address in Settings, under Models.',
  unreachable: 'The gateway can’t be reached. Check the network, or its address in Settings, under Models.',
} satisfies Partial<Record<ErrorCode, string>>;

/** The words of the gateway, its key, and the models that the news name. */
export const enGateway = {
  gateway: {
    address: 'Gateway address',
    addressHint:
      'A regional host lists only models that can be served within its region. Leave it empty for none, or for the built-in gateway while the news are the built-in ones.',
    fromOption: 'Set by the --models option for this run.',
    fromEnvironment: 'Set by the BROADSHEET_MODELS_URL environment variable.',
    testOk: (n: number) =>
      count(n, 'It answers, and lists # embeddings model.', 'It answers, and lists # embeddings models.'),
    testNoList: 'It answers, but lists nothing without a key.',
    demo: 'The built-in gateway has made-up models and takes a public key of its own. No other key is sent to it.',
    readFailed: 'Models could not be read',
    failures,
  },
  key: {
    title: 'Key',
    none: 'No key is kept. Without one a gateway may list embeddings models, and nothing else.',
    noGateway: 'Save the gateway’s address first: a key is kept for one address alone.',
    endsIn: (lastFour: string) => `The key ends in …${lastFour}.`,
    tooShort: 'There is a key, too short for any of it to be shown.',
    places: {
      keychain: 'It is kept in the system keychain.',
      thisRun: 'It is kept for this run only.',
      environment: 'It comes from the BROADSHEET_MODELS_KEY environment variable, for this run.',
    },
    willBe: {
      keychain: 'It is kept in the system keychain and goes to the gateway alone.',
      thisRun: 'It is kept for this run only and goes to the gateway alone.',
    },
    reasons: {
      host: 'In a browser Broadsheet has no way to the system keychain. The environment variable BROADSHEET_MODELS_KEY gives it a key at each start.',
      unavailable: 'The system keychain can’t be used at the moment.',
      plainText: 'This system has no keychain and would keep it as plain text.',
    },
    sentTo: (origin: string) => `It is sent to ${origin}, and nowhere else.`,
    insecure: 'It is not sent: the gateway’s address is neither https nor on this computer, and others could read it.',
    otherOrigin: (given: string, now: string) => `This key was given for ${given}. Use it for ${now} too?`,
    allow: 'Use it there',
    notUsed: (given: string) => `It was given for ${given} and is not sent anywhere now.`,
    label: 'Enter a key',
    replace: 'Enter another key',
    save: 'Save and test',
    trying: 'Asking the gateway…',
    accepted: 'The gateway accepts the key.',
    removed: 'The key is removed.',
    remove: 'Remove the key',
    unknown: 'The gateway does not know this key (401).',
    mayNotList: 'The gateway knows this key but does not let it list models (403): only management keys may.',
    malformed: 'A key has 1 to 512 letters, digits or signs, and no spaces.',
    untried: 'The key is kept, but could not be tried:',
    refused: 'The key was not kept. No key stays on the page, so the field is empty again.',
    notAllowed: 'The key is not used there.',
  },
  mention: {
    label: 'Models in this item',
    possible: 'Possible match',
    possibleHint: 'Found by words in the texts. It may be another model.',
    inRow: (name: string) => `Possibly names ${name}`,
    inRowMore: (name: string, n: number) =>
      count(n, `Possibly names ${name} and # more model`, `Possibly names ${name} and # more models`),
    input: (price: string) => `In ${price}`,
    output: (price: string) => `Out ${price}`,
    aMillion: (price: string) => `${price} per million`,
    context: (tokens: string) => `Context ${tokens}`,
    free: 'free',
    noPrice: 'Price not given',
    unclear: 'unclear',
  },
};
