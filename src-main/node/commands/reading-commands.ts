import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import type { ReportKind } from '../../contract/model/report.ts';
import { SEARCH_KINDS, type SearchKind } from '../../contract/model/search.ts';
import { SOURCE_SORTS, type SourceSort } from '../../contract/model/source.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import { LONGEST_RULE_NAME } from '../../contract/model/rules.ts';
import { parseText, parseWhole, type Invocation } from '../invocation.ts';
import { UsageError, type ExitCode } from '../shell.ts';
import { suggesting } from './shell/suggestions.ts';
import { parseSince, type Since } from './since.ts';

/** Runs a command with its validated invocation. */
export type Run = (command: (invocation: Invocation) => Promise<ExitCode>) => Promise<void>;

interface ListFlags {
  query?: string;
  category?: string;
  source?: string;
  unread?: boolean;
  starred?: boolean;
  since?: Since;
  limit?: number;
  /** An argument, not an option. */
  saved?: string;
}
type Flag = keyof ListFlags;

interface SearchFlags {
  in?: SearchKind[];
  limit?: number;
  since?: Since;
}

interface List {
  /** Flags that it accepts besides `--limit`. */
  flags: readonly Flag[];
  run(invocation: Invocation, flags: ListFlags): Promise<ExitCode>;
  /** Takes a name: that of a saved search. */
  named?: true;
}

const OF_ITEMS: readonly Flag[] = ['query', 'category', 'source', 'unread', 'starred', 'since'];

/** Modules are loaded on demand: --help and usage errors do not need the database. */
const LISTS: Record<string, List> = {
  items: { flags: OF_ITEMS, run: (invocation, flags) => listItems(invocation, 'items', flags) },
  selected: { flags: OF_ITEMS, run: (invocation, flags) => listItems(invocation, 'selected', flags) },
  saved: {
    flags: ['query', 'category', 'source', 'unread', 'since'],
    named: true,
    run: (invocation, flags) => listItems(invocation, 'items', flags),
  },
  hot: {
    flags: [],
    run: async (invocation, flags) => (await import('./hot-topics.ts')).listHotTopics(invocation, flags),
  },
  stories: {
    flags: ['starred'],
    run: async (invocation, flags) => (await import('./stories.ts')).listStories(invocation, flags),
  },
  dailies: listReports('daily'),
  weeklies: listReports('weekly'),
  monthlies: listReports('monthly'),
  models: listModels('models'),
  embeddings: listModels('embeddings'),
  'model-changes': {
    flags: [],
    run: async (invocation, flags) => (await import('./models/models.ts')).listModelChanges(invocation, flags),
  },
  notices: {
    flags: [],
    run: async (invocation, flags) => (await import('./notifications.ts')).listNotifications(invocation, flags),
  },
  notes: {
    flags: [],
    run: async (invocation, flags) => (await import('./notes/notes.ts')).listNotes(invocation, flags),
  },
};

interface ShowCommand {
  /** Parses the key; null if there is nothing to choose. */
  key: ((text: string) => string) | null;
  /** The key if none is given. */
  usual?: string;
  run(invocation: Invocation, key: string): Promise<ExitCode>;
}

const SHOW_COMMANDS: Record<string, ShowCommand> = {
  item: {
    key: parseText(512),
    run: async (invocation, id) => (await import('./show.ts')).showItem(invocation, id),
  },
  story: {
    key: parseText(128),
    run: async (invocation, key) => (await import('./stories.ts')).showStory(invocation, key),
  },
  source: {
    key: parseText(2000),
    run: async (invocation, name) => (await import('./sources.ts')).showSource(invocation, name),
  },
  daily: showReport('daily'),
  weekly: showReport('weekly'),
  monthly: showReport('monthly'),
  model: {
    key: parseText(512),
    run: async (invocation, id) => (await import('./models/models.ts')).showModel(invocation, id),
  },
  agent: {
    key: null,
    run: async (invocation) => (await import('./guide.ts')).showGuide(invocation),
  },
};

/** What completions offer for a report. */
export const LATEST = { daily: ['latest'], weekly: ['latest'], monthly: ['latest'] } as const;

const SEARCH_HELP = `
All words must match; OR separates alternatives, - excludes, quotes keep words together, * stands for the rest of a word.
  source:NAME  category:NAME  is:unread|read|starred|selected|withdrawn|muted  has:story|note
  before:2026-11-20  after:2026-11  score:>80
Put -- before a query that begins with -, and quotes around signs of your shell: broadsheet search 'score:>80 "new model"'.`;

function parseKinds(text: string): SearchKind[] {
  const kinds = text.split(',').map((kind) => SEARCH_KINDS.find((one) => one === kind.trim()));
  if (kinds.includes(undefined)) throw new InvalidArgumentError(`It must be of ${SEARCH_KINDS.join(', ')}.`);
  return [...new Set(kinds.filter((kind) => kind !== undefined))];
}

/** Words of a query need no quotes around all of them. */
function parseWords(text: string, before: string | undefined): string {
  return parseText(1000)(before === undefined ? text : `${before} ${text}`);
}

export function addReading(program: Command, run: Run): void {
  program
    .command('list')
    .description(
      'list what is saved, newest first (models in the order of the gateway); with --json, one object per line',
    )
    .addArgument(new Argument('<what>', 'what to list').choices(Object.keys(LISTS)))
    .argument('[name]', 'saved: the name of the saved search', parseText(LONGEST_RULE_NAME))
    .option(
      '--query <text>',
      'items: search for words, "phrases", -excluded, is:unread, …: see search',
      parseText(1000),
    )
    .option('--category <c>', 'items: only this category', parseText(200))
    .option('--source <name>', 'items: only this source', parseText(2000))
    .option('--unread', 'items and reports: only unread ones')
    .option('--starred', 'items and stories: only starred ones')
    .addOption(sinceOption('items and reports: '))
    .option('--limit <n>', 'maximum number (default for items: 50, with --json all)', parseWhole(1, 1_000_000_000))
    .action((what: string, name: string | undefined, flags: ListFlags) =>
      run(async (invocation) =>
        listOf(what, flags, name).run(invocation, name === undefined ? flags : { ...flags, saved: name }),
      ),
    );
  program
    .command('sources')
    .description('list who published the saved items')
    .addOption(new Option('--sort <by>', 'what to begin with').choices(SOURCE_SORTS).default('unread'))
    .option('--limit <n>', 'maximum number (default: all)', parseWhole(1, 1_000_000_000))
    .action((options: { sort: SourceSort; limit?: number }) =>
      run(async (invocation) => (await import('./sources.ts')).listSources(invocation, options)),
    );
  program
    .command('search')
    .description('search everything that is saved: items, stories, reports, models and notes')
    .argument('<query...>', 'what to find', parseWords)
    .option('--in <kinds>', `only these, separated by commas (${SEARCH_KINDS.join(', ')})`, parseKinds)
    .addOption(sinceOption(''))
    .option('--limit <n>', 'maximum number of each kind (default: 20)', parseWhole(1, 500))
    .addHelpText('after', SEARCH_HELP)
    .action((query: string, { in: kinds, limit = 20, since }: SearchFlags) =>
      run(async (invocation) =>
        (await import('./search/search.ts')).search(invocation, query, {
          limit,
          ...(kinds && { kinds }),
          ...(since !== undefined && { since }),
        }),
      ),
    );
  program
    .command('show')
    .description("show a saved item, story, source, report or model in full; agent: the service's guide for agents")
    .addArgument(new Argument('<what>', 'what to show').choices(Object.keys(SHOW_COMMANDS)))
    .addArgument(
      suggesting(
        new Argument(
          '[id]',
          'the id; for a source, its name; for a report, a date, week or month (default: the latest)',
        ),
        LATEST,
      ),
    )
    .action((what: string, id: string | undefined) => run(async (invocation) => show(invocation, what, id)));
}

function sinceOption(what: string): Option {
  const about = `${what}only from then on: 2h, 3d, 1w, 2026-11-20, 2026-11-20T08:00, today, yesterday, last-visit`;
  return new Option('--since <when>', about).argParser((text) => parseSince(text));
}

function listReports(kind: ReportKind): List {
  const run: List['run'] = async (invocation, flags) =>
    (await import('./reports.ts')).listReports(invocation, kind, flags);
  return { flags: ['unread', 'since'], run };
}

function listModels(modelList: ModelListName): List {
  const run: List['run'] = async (invocation, flags) =>
    (await import('./models/models.ts')).listModels(invocation, modelList, flags);
  return { flags: [], run };
}

function showReport(kind: ReportKind): ShowCommand {
  const run: ShowCommand['run'] = async (invocation, key) =>
    (await import('./reports.ts')).showReport(invocation, kind, key);
  return { key: parseText(20), usual: 'latest', run };
}

/** Errors: `UsageError` for a flag that the list does not accept. */
function listOf(what: string, flags: ListFlags, name: string | undefined): List {
  const list = LISTS[what];
  if (!list) throw new UsageError(`cannot list ${what}`);
  if (list.named && name === undefined) throw new UsageError(`'list ${what}' needs the name of a saved search`);
  if (!list.named && name !== undefined) throw new UsageError(`'list ${what}' takes no name`);
  const known = new Set<string>([...list.flags, 'limit']);
  const stray = Object.keys(flags).find((flag) => !known.has(flag));
  if (stray !== undefined) throw new UsageError(`option '--${stray}' cannot be used with 'list ${what}'`);
  return list;
}

async function listItems(
  invocation: Invocation,
  what: 'items' | 'selected',
  { unread = false, starred = false, ...rest }: ListFlags,
): Promise<ExitCode> {
  return (await import('./list.ts')).list(invocation, { what, unread, starred, ...rest });
}

/** Errors: `UsageError` for a missing, unexpected or invalid key. */
async function show(invocation: Invocation, what: string, id: string | undefined): Promise<ExitCode> {
  const command = SHOW_COMMANDS[what];
  if (!command) throw new UsageError(`cannot show ${what}`);
  if (command.key === null) {
    if (id !== undefined) throw new UsageError(`too many arguments for 'show ${what}'`);
    return command.run(invocation, '');
  }
  const key = id ?? command.usual;
  if (key === undefined) throw new UsageError("missing required argument 'id'");
  return command.run(invocation, readKey(command.key, key));
}

function readKey(read: (text: string) => string, id: string): string {
  try {
    return read(id);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new UsageError(`argument 'id' is invalid. ${reason}`);
  }
}
