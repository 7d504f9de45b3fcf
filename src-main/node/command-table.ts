import { DEMO_KINDS } from '../contract/model/sync-status.ts';
import {
  choice,
  choiceOf,
  flag,
  option,
  text,
  type Chooser,
  type Command,
  type CommandNode,
  type Commands,
  type Group,
} from './command.ts';
import { DATA_COMMANDS } from './commands/data.ts';
import { EXPORT, EXPORT_COMMANDS } from './commands/export.ts';
import { STANDING_COMMANDS } from './commands/exports.ts';
import { FEED_COMMANDS } from './commands/feeds.ts';
import { GUIDE_COMMANDS } from './commands/guide.ts';
import { HOOK_COMMANDS } from './commands/hook.ts';
import { ITEM_COMMANDS } from './commands/items.ts';
import { LIST } from './commands/list-options.ts';
import { DEVICE_COMMANDS } from './commands/devices.ts';
import { MODEL_COMMANDS } from './commands/models.ts';
import { NOTE_COMMANDS } from './commands/notes.ts';
import { NOTIFICATION_COMMANDS } from './commands/notifications.ts';
import { OPEN, OPEN_COMMANDS } from './commands/open.ts';
import { REPORT_COMMANDS } from './commands/reports.ts';
import { RULE_COMMANDS } from './commands/rules.ts';
import { SEARCH_COMMANDS } from './commands/search.ts';
import { SERVING_COMMANDS } from './commands/serve.ts';
import { SERVICE_COMMANDS } from './commands/service.ts';
import { SETTINGS_COMMANDS } from './commands/settings.ts';
import { SHELL_COMMANDS } from './commands/shell-commands.ts';
import { SOURCE_COMMANDS } from './commands/sources.ts';
import { STATUS_COMMANDS } from './commands/status.ts';
import { STORY_COMMANDS } from './commands/stories.ts';
import { SYNC_COMMANDS } from './commands/sync.ts';
import { parseAddress } from './invocation.ts';

/** In the order of the help of a group. */
const COMMANDS = {
  ...SYNC_COMMANDS,
  ...SERVING_COMMANDS,
  ...ITEM_COMMANDS,
  ...STORY_COMMANDS,
  ...SOURCE_COMMANDS,
  ...REPORT_COMMANDS,
  ...MODEL_COMMANDS,
  ...GUIDE_COMMANDS,
  ...SEARCH_COMMANDS,
  ...OPEN_COMMANDS,
  ...STATUS_COMMANDS,
  ...EXPORT_COMMANDS,
  ...STANDING_COMMANDS,
  ...FEED_COMMANDS,
  ...NOTIFICATION_COMMANDS,
  ...NOTE_COMMANDS,
  ...RULE_COMMANDS,
  ...DEVICE_COMMANDS,
  ...DATA_COMMANDS,
  ...SETTINGS_COMMANDS,
  ...HOOK_COMMANDS,
  ...SERVICE_COMMANDS,
  ...SHELL_COMMANDS,
};

type FirstWord<Name> = Name extends `${infer First} ${string}` ? First : Name;

/** In the order of the help. Null is a command; the others have commands or rows below them. */
const TOP: Readonly<Record<FirstWord<keyof typeof COMMANDS>, Group | Chooser | null>> = {
  sync: null,
  serve: null,
  list: LIST,
  sources: null,
  search: null,
  show: {
    about: "show a saved item, story, source, report or model in full; agent: the service's guide for agents",
    choose: 'what to show',
    key: {
      name: 'id',
      about: 'the id; for a source, its name; for a report, a date, week or month (default: the latest)',
    },
    options: {},
    missing: () => "missing required argument 'id'",
    excess: (row) => `too many arguments for 'show ${row}'`,
  },
  open: OPEN,
  status: null,
  export: EXPORT,
  exports: { about: 'name exports that are written again after each sync that changes something' },
  feeds: { about: 'give lists and reports to feed readers, each at a secret address while serve runs' },
  mark: null,
  note: { about: 'show, write or remove your note about an item, a story or a report' },
  saved: { about: 'list, add, change or remove saved searches' },
  mute: { about: 'hide items by words, source or category' },
  devices: { about: 'sync between your devices, through a folder that you already sync' },
  data: { about: 'export, import, back up and restore your data' },
  settings: { about: 'list, read or change settings' },
  mcp: null,
  hook: { about: 'run a program of yours when there is news; off until you set one' },
  service: { about: 'run serve in the background: a systemd user unit, a launchd agent or a scheduled task' },
  completion: null,
  man: null,
};

const COMMON_OPTIONS = {
  data: option('dir', text('the data folder', 4096)),
  news: option('url', { about: 'the news service', parse: parseAddress }),
  models: option('url', { about: 'the model service', parse: parseAddress }),
  demo: {
    ...option('kind', choice('the built-in demo service; harsh: with all the faults of a real one', DEMO_KINDS)),
    conflicts: 'news',
  },
  json: flag('print results as JSON'),
};

const HELP = `
Environment: BROADSHEET_DATA, BROADSHEET_NEWS_URL, BROADSHEET_MODELS_URL, BROADSHEET_MODELS_KEY, BROADSHEET_DEMO.
An option overrides the environment, the environment overrides the saved setting, and that overrides the built-in demo
service. The key is sent only to the model service set when the command starts, over https or to this computer, and is held
in memory only. With a news service but no model service, no models are shown. Colours are shown on a terminal; NO_COLOR=1
turns them off, FORCE_COLOR=1 on.
Exit codes: 0 success, 1 something failed (everything else is saved), 2 wrong usage, 3 the service is not running,
75 another command has the data.`;

export function programTree(): CommandNode {
  const table: Commands = COMMANDS;
  const commands = Object.entries<Group | Chooser | null>(TOP).map(([name, group]): CommandNode => {
    if (group === null) return leaf([name], table[name]);
    const below = Object.entries(table).flatMap(([path, command]) =>
      path.startsWith(`${name} `) ? [[path.slice(name.length + 1), command] as const] : [],
    );
    if ('choose' in group) return choiceOf(name, group, Object.fromEntries(below), table[name]);
    const leaves = below.map(([second, command]) => leaf([name, second], command));
    return { path: [name], about: group.about, commands: leaves, args: {}, options: {}, help: '' };
  });
  const about = 'Read an AI news service, offline too.';
  return { path: [], about, commands, args: {}, options: COMMON_OPTIONS, help: HELP };
}

function leaf(path: readonly string[], command: Command | undefined): CommandNode {
  if (!command) throw new Error(`There is no command ${path.join(' ')}`);
  const { about = '', args = {}, options = {}, help = '' } = command;
  return { path, about, commands: [], args, options, help, command };
}
