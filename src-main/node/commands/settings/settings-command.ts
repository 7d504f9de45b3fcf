import { Argument, type Command } from 'commander';
import { parseText } from '../../invocation.ts';
import type { Run } from '../reading-commands.ts';
import { suggesting } from '../shell/suggestions.ts';
import { allowedWords, API_KEY, LONGEST_NAME, LONGEST_VALUE, SETTING_PATHS } from './setting-values.ts';

const commands = () => import('./settings.ts');
const NAME = parseText(LONGEST_NAME);
const NAMES_HELP = `
Names are those of settings.json; case and hyphens don't matter (text-size).
  ${[...SETTING_PATHS.map(({ name }) => name), API_KEY]
    .join('  ')
    .replace(/(.{1,74})(?:\s\s|$)/g, '$1\n  ')
    .trimEnd()}
The key is read from standard input, tested, and saved unencrypted in a file that only you can read:
  broadsheet settings set api-key < key.txt`;

/** Adds the commands for settings. */
export function addSettings(program: Command, run: Run): void {
  const settings = program.command('settings').description('list, read or change settings');
  settings
    .command('list')
    .description('list all settings, and the default of those that were changed')
    .action(() => run(async (invocation) => (await commands()).listSettings(invocation)));
  settings
    .command('get')
    .description('print one setting')
    .addArgument(name())
    .action((given: string) => run(async (invocation) => (await commands()).getSetting(invocation, given)));
  settings
    .command('set')
    .description('change one setting; the app must not be running')
    .addArgument(name())
    .addArgument(value())
    .addHelpText('after', NAMES_HELP)
    .action((given: string, value: string | undefined) =>
      run(async (invocation) => (await commands()).setSetting(invocation, given, value)),
    );
  settings
    .command('unset')
    .description('go back to the default; api-key: remove the saved key')
    .addArgument(name())
    .action((given: string) => run(async (invocation) => (await commands()).unsetSetting(invocation, given)));
}

function name(): Argument {
  const argument = new Argument('<name>', 'its name: see settings list').argParser(NAME);
  return suggesting(argument, [...SETTING_PATHS.map(({ name }) => name), API_KEY]);
}

function value(): Argument {
  const about = 'its new value; for api-key none, because the key is read from standard input';
  const words = SETTING_PATHS.map(({ name, shape }) => [name, allowedWords(shape)] as const);
  return suggesting(new Argument('[value]', about).argParser(parseText(LONGEST_VALUE)), Object.fromEntries(words));
}
