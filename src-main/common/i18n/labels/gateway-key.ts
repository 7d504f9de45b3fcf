import { m } from '../messages.ts';

export const keyPlaces = {
  keychain: m.key_places_keychain,
  file: m.key_places_file,
  thisRun: m.key_places_this_run,
  environment: m.key_places_environment,
};

export const keyReasons = {
  host: m.key_reasons_host,
  unavailable: m.key_reasons_unavailable,
  plainText: m.key_reasons_plain_text,
};

export const keyWillBe = {
  keychain: m.key_will_be_keychain,
  file: m.key_will_be_file,
  thisRun: m.key_will_be_this_run,
};
