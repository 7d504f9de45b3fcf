import { ownCommand, parseText, text, type Argument } from '../command.ts';
import { allowedWords, API_KEY, MAX_NAME_LENGTH, MAX_VALUE_LENGTH, SETTING_PATHS } from './setting-values.ts';

const NAMES_HELP = `
Names are those of settings.json; case and hyphens don't matter (text-size).
  ${[...SETTING_PATHS.map(({ name }) => name), API_KEY]
    .join('  ')
    .replace(/(.{1,74})(?:\s\s|$)/g, '$1\n  ')
    .trimEnd()}
The key is read from standard input, tested, and saved unencrypted in a file that only you can read:
  broadsheet settings set api-key < key.txt`;

const name = {
  ...text('its name: see settings list', MAX_NAME_LENGTH),
  words: [...SETTING_PATHS.map(({ name }) => name), API_KEY],
};
const value: Argument<string | undefined> = {
  about: 'its new value; for api-key none, because the key is read from standard input',
  optional: true,
  parse: parseText(MAX_VALUE_LENGTH),
  words: Object.fromEntries(SETTING_PATHS.map(({ name, shape }) => [name, allowedWords(shape)])),
};
const loadBodies = () => import('./settings-file.ts');

export const SETTINGS_COMMANDS = {
  'settings list': ownCommand({
    about: 'list all settings, and the default of those that were changed',
    run: async (_given, invocation) => (await loadBodies()).listSettings(invocation),
  }),
  'settings get': ownCommand({
    about: 'print one setting',
    args: { name },
    run: async ({ name }, invocation) => (await loadBodies()).getSetting(invocation, name),
  }),
  'settings set': ownCommand({
    about: 'change one setting; api-key: not while the app is running',
    args: { name, value },
    help: NAMES_HELP,
    run: async ({ name, value }, invocation) => (await loadBodies()).setSetting(invocation, name, value),
  }),
  'settings unset': ownCommand({
    about: 'go back to the default; api-key: remove the saved key',
    args: { name },
    run: async ({ name }, invocation) => (await loadBodies()).unsetSetting(invocation, name),
  }),
};
