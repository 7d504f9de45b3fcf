import { importing, insertAfter, insertBefore, type Patches } from '../support/patched-program.ts';

/** By the title of a recipe in docs/recipes.md: what it says to change, for something made up. */

export const OUTPUT = 'src-main/render/outputs/made-up.ts';
const CASES = {
  text: 'return block.text;',
  entry: "return block.title ?? '';",
  facts: "return block.facts.flatMap(({ spans }) => spans.map(({ text }) => text)).join(', ');",
  list: 'return String(block.facts.length);',
  changes: "return block.changes.map(({ what }) => what).join(', ');",
  section: "return [block.title, ...block.blocks.map(formatBlock)].join(': ');",
};
/** Knows documents and no kind of record. */
export const outputFormat = (...missing: string[]): Patches => ({
  [OUTPUT]: `
import type { Block, Document } from '../document.ts';
export function toMadeUp({ name, title, blocks }: Document): string {
  return [name, title, ...blocks.map(formatBlock)].filter((text) => text !== null).join('; ');
}
function formatBlock(block: Block): string {
  switch (block.is) {
${Object.entries(CASES)
  .filter(([is]) => !missing.includes(is))
  .map(([is, text]) => `    case '${is}': ${text}`)
  .join('\n')}
  }
}`,
});

export const METHODS = 'src-main/contract/methods.ts';
export const HOST_METHODS = 'src-main/core/host-methods.ts';
export const READS = 'src-main/core/reads.ts';
export const ENGINE_METHODS = 'src-main/sync/engine/status-methods.ts';
export const CALLER = 'src-main/core/made-up-caller.ts';
export const methodRows = (...kinds: string[]): Patches => ({
  [METHODS]: kinds.map((kind) =>
    insertAfter(
      'const METHODS = {',
      `'made.${kind}': ${kind}({ count: z.int().min(0).max(9) }).returns<{ made: number }>(),`,
    ),
  ),
});
/** One of each kind, which lies elsewhere and has other things at hand. */
export const methodBodies: Patches = {
  [READS]: [
    insertAfter(
      'const READS: Reads = {',
      "'made.read': ({ notes }, { count }) => ({ made: notes.keys().length + count }),",
    ),
  ],
  [ENGINE_METHODS]: [
    insertAfter(
      '  return {\n    ',
      "'made.engine': ({ count }) => ({ made: store.queries.notes.keys().length + count }),",
    ),
  ],
  [HOST_METHODS]: [
    insertAfter(
      'const HOST_METHODS: HostMethods = {',
      "'made.host': ({ count }, { ports }) => ({ made: ports.clock.now() + count }),",
    ),
  ],
};
export const methodCalls = (...args: string[]): Patches => ({
  [CALLER]: `import type { Wire } from '../contract/wire.ts';
export async function* call(wire: Wire): AsyncGenerator<number> {
${args
  .flatMap((given) => ['read', 'engine', 'host'].map((kind) => `wire.call('made.${kind}', ${given})`))
  .map((call) => `  { const reply = await ${call}; if (reply.ok) yield reply.value.made; }`)
  .join('\n')}
}`,
});

export const SETTINGS = 'src-main/contract/settings.ts';
export const SETTING_TEXTS = 'src-main/common/i18n/settings-texts.ts';
export const settingRow = (name: string, usual = 'few'): Patches => ({
  [SETTINGS]: [
    insertAfter(
      'export const SETTINGS = {',
      `${name}: setting('advanced', choice('few', 'many'), '${usual}', { shared: true, engine: true }),`,
    ),
  ],
});
/** With any messages: those of a real setting are in the message files. */
export const settingTexts = (name: string, ...choices: string[]): Patches => ({
  [SETTING_TEXTS]: [
    insertAfter(
      'export const SETTING_TEXTS = {',
      `${name}: { label: m.settings_title, choices: { ${choices.map((choice) => `${choice}: m.settings_title,`).join(' ')} } },`,
    ),
  ],
});
export const settingActs: Patches = {
  'src-main/sync/engine/made-up-effect.ts': `
import type { SharedSettings } from '../../contract/settings.ts';
import type { EngineSettings } from './types.ts';
export const most = ({ madeUp }: EngineSettings): number => ({ few: 1, many: 9 })[madeUp];
export const isShared = ({ madeUp }: SharedSettings): boolean => madeUp === 'few';`,
};

export const COMMAND_TABLE = 'src-main/node/command-table.ts';
export const COMMANDS = 'src-main/node/commands/notes.ts';
export const command = (name: string, text = '({ made }) => `${made} made`'): Patches => ({
  [COMMANDS]: [
    insertAfter(
      'export const NOTE_COMMANDS = {',
      `'${name}': command({
        about: 'count what is made up',
        needs: 'reads',
        args: { first: text('where to begin', 20) },
        run: async ({ first }, { call }) => ({ made: (await call('notes.keys', {})).keys.length + first.length }),
        ${text === '' ? '' : `text: ${text},`}
      }),`,
    ),
  ],
});
export const list = (name: string, option = 'unread'): Patches => ({
  [COMMANDS]: [
    insertAfter(
      'export const NOTE_COMMANDS = {',
      `'list ${name}': listCommand({
        needs: 'reads',
        options: listOptions('${option}'),
        async *run({ limit = 2, unread = false }) {
          for (let made = 0; made < limit; made += 1) yield { made, unread };
        },
        text: ({ made, unread }) => \`\${made}\${unread ? ' unread' : ''}\`,
        empty: 'Nothing made up.',
      }),`,
    ),
  ],
});
export const placeInHelp = (name: string): Patches => ({
  [COMMAND_TABLE]: [insertBefore('  serve: null,\n', `  '${name}': null,\n`)],
});

const KINDS = 'src-main/contract/records.ts';
export const KIND_USE = 'src-main/store/items/bookmarks.ts';
export const recordKind: Patches = {
  [KINDS]: [
    insertBefore(
      "  visit: kind({ scope: 'service'",
      "  bookmark: kind({ scope: 'service', id: accepts(itemId), value: futureTime, merge: earlierTime }),\n",
    ),
  ],
};
export const recordUse: Patches = {
  [KIND_USE]: `import { get, turn } from '../records.ts';
import type { Db } from '../sql.ts';
import type { Tx } from '../tx.ts';

export const isBookmarked = (db: Db, id: string): boolean => get(db, 'bookmark', id) !== null;
export const bookmark = (tx: Tx, id: string, on: boolean): boolean => turn(tx, 'bookmark', id, on ? tx.now : null);
`,
};

export const ITEM_SCHEMA = 'src-main/clients/news/schemas.ts';
export const ITEM_COLUMNS = 'src-main/store/items/item-rows.ts';
const DATABASES = 'src-main/store/database/databases.ts';
export const itemField: Patches = {
  'src-main/contract/model/item.ts': [insertAfter('  originalTitle: string | null;\n', '  madeUp: string | null;\n')],
  [ITEM_SCHEMA]: [
    insertAfter('const ITEM_FIELDS = new Set([\n', "  'madeUp',\n"),
    insertBefore("    summary: cutTextIn(raw['summary']", "    madeUp: cutTextIn(raw['madeUp'], PARAGRAPH),\n"),
  ],
  'src-main/store/migrations/mirror-002.ts': 'export const MIRROR_002 = `ALTER TABLE item ADD COLUMN made_up TEXT`;\n',
  [DATABASES]: [
    importing("import { MIRROR_002 } from '../migrations/mirror-002.ts';"),
    insertAfter('migrations: [MIRROR_001', ', MIRROR_002'),
  ],
  [ITEM_COLUMNS]: [
    insertAfter("  'original_title',\n", "  'made_up',\n"),
    insertBefore('  summary: string | null;\n', '  made_up: string | null;\n'),
    insertBefore('    summary: item.summary,\n', '    made_up: item.madeUp,\n'),
    insertBefore('    summary: row.summary,\n', '    madeUp: row.made_up,\n'),
  ],
  'src-main/render/item.ts': [insertBefore("    ...field('Source'", "    ...field('Made up', item.madeUp),\n")],
};

export const RESOURCE_JOB = 'src-main/sync/jobs/launches.ts';
export const CLIENT = 'src-main/clients/news/client.ts';
export const HEALTH = 'src-main/store/database/health.ts';
export const LABELS = 'src-main/common/i18n/labels.ts';
export const REGISTRY = 'src-main/sync/jobs/registry.ts';
export const resource: Patches = {
  'src-main/contract/model/launch.ts': `export interface Launch { id: string; title: string }`,
  'src-main/clients/news/launches.ts': `
import { z } from 'zod';
import type { Launch } from '../../contract/model/launch.ts';
import { title } from '../parsing/fields.ts';
import { checkEnvelope, readRecords, recordId, skipFor, type Records } from '../parsing/records.ts';

const envelope = z.object({ items: z.custom<unknown[]>(Array.isArray, 'is missing or not a list') });
const record = z.object({ id: recordId, title });

export function readLaunches(value: unknown): Records<Launch> {
  return readRecords(checkEnvelope(envelope, value).items, (raw) => {
    const checked = record.safeParse(raw);
    return checked.success ? { record: checked.data } : skipFor(raw, checked.error);
  });
}`,
  'src-main/store/launches.ts': `
import type { Launch } from '../contract/model/launch.ts';
import { rows, run, type Db, type WritableDb } from './sql.ts';

export function list(db: Db): Launch[] {
  return rows<Launch>(db, 'SELECT id, title FROM launch ORDER BY id');
}

export function replace(db: WritableDb, launches: readonly Launch[]): void {
  run(db, 'DELETE FROM launch');
  for (const { id, title } of launches) run(db, 'INSERT INTO launch (id, title) VALUES (?, ?)', id, title);
}`,
  'src-main/store/migrations/mirror-003.ts': `
export const MIRROR_003 = 'CREATE TABLE launch (id TEXT PRIMARY KEY, title TEXT NOT NULL) STRICT';`,
  [RESOURCE_JOB]: `
import type { Records } from '../../clients/parsing/records.ts';
import type { Launch } from '../../contract/model/launch.ts';
import { NO_CHANGE, syncDocument } from './documents.ts';
import type { JobResult, SyncContext } from './sync-context.ts';

export function syncLaunches(context: SyncContext): Promise<JobResult> {
  return syncDocument<Records<Launch>>(context, {
    name: 'launches',
    get: ({ news }, _id, validator) => news.launches({ validator }),
    address: () => '',
    size: ({ records }) => records.length,
    save: ({ launches }, _id, { records }) => {
      launches.replace(records);
      return { ...NO_CHANGE, changed: ['launches'] };
    },
    announce: (emit) => emit('launches.changed', {}),
  });
}`,
  'src-main/demo/resources/launches.ts': `
import { json, readNoQuery, type ApiRequest, type ApiResponse } from '../http.ts';
import type { DemoState } from '../state.ts';

export function launches(_state: DemoState, request: ApiRequest): ApiResponse {
  readNoQuery(request.search);
  return json({ count: 2, items: [{ id: 'one', title: 'A launch' }, { id: 'two', title: 7 }] }, 60);
}`,
  'src-main/contract/model/resource.ts': [insertAfter("  'monthlies',\n", "  'launches',\n")],
  [METHODS]: [
    importing("import type { Launch } from './model/launch.ts';"),
    insertAfter('const METHODS = {', "'launches.list': read({}).returns<{ launches: Launch[] }>(),"),
  ],
  'src-main/contract/events.ts': [
    insertAfter("  'hotTopics.changed': event<Nothing>(),\n", "  'launches.changed': event<Nothing>(),\n"),
  ],
  [LABELS]: [insertAfter('export const resourceNames = {\n', '  launches: m.sync_status_names_items,\n')],
  [CLIENT]: [
    importing("import { readLaunches } from './launches.ts';"),
    importing("import type { Launch } from '../../contract/model/launch.ts';"),
    insertAfter(
      '  hotTopics(options?: FetchOptions): Promise<Answer<HotTopicsAnswer>>;\n',
      '  launches(options?: FetchOptions): Promise<Answer<Records<Launch>>>;\n',
    ),
    insertAfter(
      'const client: NewsClient = {\n',
      "    launches: (options = {}) => fetchJson('launches', '/api/v1/launches', {}, options, readLaunches),\n",
    ),
  ],
  [DATABASES]: [
    importing("import { MIRROR_003 } from '../migrations/mirror-003.ts';"),
    insertAfter('migrations: [MIRROR_001, MIRROR_002', ', MIRROR_003'),
  ],
  [HEALTH]: [insertBefore('  hotTopics: sql`SELECT', '  launches: sql`SELECT count(*) FROM main.launch`,\n')],
  'src-main/store/queries.ts': [
    importing("import * as launches from './launches.ts';"),
    insertBefore('    documents: boundary', '    launches: boundary.bind(launches),\n'),
  ],
  'src-main/store/transaction.ts': [
    importing("import * as launches from './launches.ts';"),
    insertAfter('const DB_DOMAINS = {\n', '  launches,\n'),
  ],
  [REGISTRY]: [
    importing("import { syncLaunches } from './launches.ts';"),
    insertAfter(
      'export const REGISTRY = {\n',
      '  launches: { job: ofNews(syncLaunches), rule: { every: HOUR, attended: HOUR } },\n',
    ),
  ],
  [READS]: [
    insertAfter('const READS: Reads = {', "'launches.list': ({ launches }) => ({ launches: launches.list() }),"),
  ],
  'src-main/demo/resources/routes.ts': [
    importing("import { launches } from './launches.ts';"),
    insertAfter("    news('hot-topics', hotTopics),\n", "    news('launches', launches),\n"),
  ],
};
