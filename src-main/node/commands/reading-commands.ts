import { Argument, type Command } from 'commander';
import type { ReportKind } from '../../contract/model/report.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import { parseText, parseWhole, type Invocation } from '../invocation.ts';
import { UsageError, type ExitCode } from '../shell.ts';

/** What a command does with its checked invocation. */
export type Run = (command: (invocation: Invocation) => Promise<ExitCode>) => Promise<void>;

interface ListFlags {
  query?: string;
  category?: string;
  unread?: boolean;
  starred?: boolean;
  limit?: number;
}
type Flag = keyof ListFlags;

interface List {
  /** Flags that it knows besides `--limit`. */
  flags: readonly Flag[];
  run(invocation: Invocation, flags: ListFlags): Promise<ExitCode>;
}

const OF_ITEMS: readonly Flag[] = ['query', 'category', 'unread', 'starred'];

/** Each list's module is loaded when it runs: --help and a wrong option need no database. */
const LISTS: Record<string, List> = {
  items: { flags: OF_ITEMS, run: (invocation, flags) => listItems(invocation, 'items', flags) },
  selected: { flags: OF_ITEMS, run: (invocation, flags) => listItems(invocation, 'selected', flags) },
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
    run: async (invocation, flags) => (await import('./models.ts')).listModelChanges(invocation, flags),
  },
  notices: {
    flags: [],
    run: async (invocation, flags) => (await import('./notifications.ts')).listNotifications(invocation, flags),
  },
};

interface Showing {
  /** Reads the key; null where there is nothing to choose from. */
  key: ((text: string) => string) | null;
  run(invocation: Invocation, key: string): Promise<ExitCode>;
}

const SHOWN: Record<string, Showing> = {
  item: {
    key: parseText(512),
    run: async (invocation, id) => (await import('./show.ts')).showItem(invocation, id),
  },
  story: {
    key: parseText(128),
    run: async (invocation, key) => (await import('./stories.ts')).showStory(invocation, key),
  },
  daily: showReport('daily'),
  weekly: showReport('weekly'),
  monthly: showReport('monthly'),
  model: {
    key: parseText(512),
    run: async (invocation, id) => (await import('./models.ts')).showModel(invocation, id),
  },
  agent: {
    key: null,
    run: async (invocation) => (await import('./guide.ts')).showGuide(invocation),
  },
};

export function addReading(program: Command, run: Run): void {
  program
    .command('list')
    .description('what is stored, newest first (models as the gateway orders them); with --json one object a line')
    .addArgument(new Argument('<what>', 'which').choices(Object.keys(LISTS)))
    .option('--query <text>', 'of items: words, "phrases", -excluded, prefix*', parseText(1000))
    .option('--category <c>', 'of items: only this category', parseText(200))
    .option('--unread', 'of items and reports: only unread ones')
    .option('--starred', 'of items and stories: only starred ones')
    .option('--limit <n>', 'at most so many (default of items: 50, with --json all)', parseWhole(1, 1_000_000_000))
    .action((what: string, flags: ListFlags) => run(async (invocation) => listOf(what, flags).run(invocation, flags)));
  program
    .command('show')
    .description("one stored item, story, report or model in full; agent: the service's guide for agents")
    .addArgument(new Argument('<what>', 'what').choices(Object.keys(SHOWN)))
    .argument('[id]', 'its id; of a report its date, week or month, or latest')
    .action((what: string, id: string | undefined) => run(async (invocation) => show(invocation, what, id)));
}

function listReports(kind: ReportKind): List {
  const run: List['run'] = async (invocation, flags) =>
    (await import('./reports.ts')).listReports(invocation, kind, flags);
  return { flags: ['unread'], run };
}

function listModels(modelList: ModelListName): List {
  const run: List['run'] = async (invocation, flags) =>
    (await import('./models.ts')).listModels(invocation, modelList, flags);
  return { flags: [], run };
}

function showReport(kind: ReportKind): Showing {
  const run: Showing['run'] = async (invocation, key) =>
    (await import('./reports.ts')).showReport(invocation, kind, key);
  return { key: parseText(20), run };
}

/** Errors: `UsageError` for a flag that the list does not know. */
function listOf(what: string, flags: ListFlags): List {
  const list = LISTS[what];
  if (!list) throw new UsageError(`There is no list of ${what}.`);
  const known = new Set<string>([...list.flags, 'limit']);
  const stray = Object.keys(flags).find((flag) => !known.has(flag));
  if (stray !== undefined) throw new UsageError(`option '--${stray}' does not go with 'list ${what}'`);
  return list;
}

async function listItems(
  invocation: Invocation,
  what: 'items' | 'selected',
  { unread = false, starred = false, ...rest }: ListFlags,
): Promise<ExitCode> {
  return (await import('./list.ts')).list(invocation, { what, unread, starred, ...rest });
}

/** Errors: `UsageError` for a key that is missing, too much, or too long. */
async function show(invocation: Invocation, what: string, id: string | undefined): Promise<ExitCode> {
  const showing = SHOWN[what];
  if (!showing) throw new UsageError(`There is no ${what} to show.`);
  if (showing.key === null) {
    if (id !== undefined) throw new UsageError(`too many arguments for 'show ${what}'`);
    return showing.run(invocation, '');
  }
  if (id === undefined) throw new UsageError("missing required argument 'id'");
  return showing.run(invocation, readKey(showing.key, id));
}

function readKey(read: (text: string) => string, id: string): string {
  try {
    return read(id);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new UsageError(`argument 'id' is not right. ${reason}`);
  }
}
