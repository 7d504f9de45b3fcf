import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folders.ts';
import { errorsWith, insertAfter, insertBefore, type Patches } from '../support/patched-program.ts';

const METHODS = 'src-main/contract/methods.ts';
const REGISTRY = 'src-main/sync/jobs/registry.ts';
const READS = 'src-main/core/reads.ts';
const LABELS = 'src-main/common/i18n/labels.ts';
const CLIENT = 'src-main/clients/news/client.ts';
const HEALTH = 'src-main/store/database/health.ts';

/** The resource's own files, one in each layer. */
const FILES: Readonly<Record<string, string>> = {
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
  'src-main/sync/jobs/launches.ts': `
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
  'src-main/store/migrations/mirror-002.ts': `
export const MIRROR_002 = 'CREATE TABLE launch (id TEXT PRIMARY KEY, title TEXT NOT NULL) STRICT';`,
  'src-main/demo/resources/launches.ts': `
import { json, readNoQuery, type ApiRequest, type ApiResponse } from '../http.ts';
import type { DemoState } from '../state.ts';

export function launches(_state: DemoState, request: ApiRequest): ApiResponse {
  readNoQuery(request.search);
  return json({ count: 2, items: [{ id: 'one', title: 'A launch' }, { id: 'two', title: 7 }] }, 60);
}`,
};

/** Imports may stand anywhere at the top level. */
const importing =
  (line: string) =>
  (file: string): string =>
    `${line}${file}`;

/** The tables with a line for it, in the order of the recipe. */
const LINES: Readonly<Record<string, readonly ((text: string) => string)[]>> = {
  'src-main/contract/model/resource.ts': [insertAfter("  'monthlies',\n", "  'launches',\n")],
  [METHODS]: [
    importing("import type { Launch } from './model/launch.ts';\n"),
    insertAfter('const METHODS = {', "'launches.list': read({}).returns<{ launches: Launch[] }>(),"),
  ],
  'src-main/contract/events.ts': [
    insertAfter("  'hotTopics.changed': event<Nothing>(),\n", "  'launches.changed': event<Nothing>(),\n"),
  ],
  [LABELS]: [insertAfter('export const resourceNames = {\n', '  launches: m.sync_status_names_items,\n')],
  [CLIENT]: [
    importing(
      "import { readLaunches } from './launches.ts';\nimport type { Launch } from '../../contract/model/launch.ts';\n",
    ),
    insertAfter(
      '  hotTopics(options?: FetchOptions): Promise<Answer<HotTopicsAnswer>>;\n',
      '  launches(options?: FetchOptions): Promise<Answer<Records<Launch>>>;\n',
    ),
    insertAfter(
      'const client: NewsClient = {\n',
      "    launches: (options = {}) => fetchJson('launches', '/api/v1/launches', {}, options, readLaunches),\n",
    ),
  ],
  'src-main/store/database/databases.ts': [
    importing("import { MIRROR_002 } from '../migrations/mirror-002.ts';\n"),
    insertAfter('migrations: [MIRROR_001', ', MIRROR_002'),
  ],
  [HEALTH]: [insertBefore('  hotTopics: sql`SELECT', '  launches: sql`SELECT count(*) FROM main.launch`,\n')],
  'src-main/store/queries.ts': [
    importing("import * as launches from './launches.ts';\n"),
    insertBefore('    documents: boundary', '    launches: boundary.bind(launches),\n'),
  ],
  'src-main/store/transaction.ts': [
    importing("import * as launches from './launches.ts';\n"),
    insertAfter('const DB_DOMAINS = {\n', '  launches,\n'),
  ],
  [REGISTRY]: [
    importing("import { syncLaunches } from './launches.ts';\n"),
    insertAfter(
      'export const REGISTRY = {\n',
      '  launches: { job: ofNews(syncLaunches), rule: { every: HOUR, attended: HOUR } },\n',
    ),
  ],
  [READS]: [
    insertAfter('const READS: Reads = {', "'launches.list': ({ launches }) => ({ launches: launches.list() }),"),
  ],
  'src-main/demo/resources/routes.ts': [
    importing("import { launches } from './launches.ts';\n"),
    insertAfter("    news('hot-topics', hotTopics),\n", "    news('launches', launches),\n"),
  ],
};
/** All that knows every resource: nothing else may need a change. */
const AFFECTED = [
  ...Object.keys(FILES),
  ...Object.keys(LINES),
  'src-main/contract/guards.ts',
  'src-main/sync/engine/status.ts',
  'src-main/sync/engine/engine.ts',
  'src-main/sync/schedule/due-rules.ts',
  'src-main/sync/schedule/polling.ts',
  'src-main/store/schedule/schedule.ts',
  'src-main/core/reading-core.ts',
  'src-main/node/commands/sync.ts',
  'src-main/node/commands/status.ts',
];

const patchesWithout = (...missing: readonly string[]): Patches => ({
  ...FILES,
  ...Object.fromEntries(
    Object.entries(LINES)
      .filter(([path]) => !missing.includes(path))
      .map(([path, lines]) => [path, (text: string) => lines.reduce((patched, change) => change(patched), text)]),
  ),
});

/** Fetches the resource from the demo service and reads what is saved. */
const SCRIPT = `
import { DEFAULT_SETTINGS } from './src-main/contract/settings.ts';
import { systemClock } from './src-main/core/system-clock.ts';
import { startDemoService } from './src-main/demo/service.ts';
import { openEngine } from './src-main/sync/engine/engine.ts';
import { engineSettings } from './src-main/sync/engine/types.ts';

const demo = await startDemoService({ clock: systemClock });
const source = { address: demo.newsAddress, demo: true, from: 'demo' };
const setup = { dataFolder: process.argv[2], source, gateway: null, version: '1', settings: engineSettings(DEFAULT_SETTINGS) };
const events = [];
const engine = openEngine(setup, { clock: systemClock, log: () => {}, emit: (event) => events.push(event) });
const { resources } = await engine.service['sync.run']({ urgency: 'now', resources: ['launches'] });
const saved = engine.store.queries.launches.list();
const status = (await engine.service['sync.status']({})).resources.find(({ name }) => name === 'launches');
await engine.close();
await demo.close();
console.log(JSON.stringify({ outcome: resources.launches, saved, rows: status.rows, events }));
`;

/** Runs the script over a patched copy of the sources. */
function runPatched(): unknown {
  const folder = temporaryFolder();
  cpSync('src-main', join(folder, 'src-main'), { recursive: true, filter: (path) => !path.endsWith('/compiled') });
  symlinkSync(resolve('src-main/common/i18n/compiled'), join(folder, 'src-main/common/i18n/compiled'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  for (const [path, patch] of Object.entries(patchesWithout())) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof patch === 'string' ? patch : patch(readFileSync(path, 'utf8')));
  }
  writeFileSync(join(folder, 'run.ts'), SCRIPT);
  const out = execFileSync(process.execPath, [join(folder, 'run.ts'), temporaryFolder()], { encoding: 'utf8' });
  return JSON.parse(out);
}

describe('a new resource', { timeout: 120_000 }, () => {
  it('takes a file in each layer and the lines that the recipe names', () => {
    expect(errorsWith(patchesWithout(), AFFECTED)).toEqual([]);
    const recipe = /## A new resource\n([\s\S]*)/.exec(readFileSync('docs/recipes.md', 'utf8'))?.[1] ?? '';
    const named = [...recipe.matchAll(/`((?:contract|common|clients|store|sync|core|demo)\/[\w./-]+)`/g)];
    const files = [...Object.keys(FILES), ...Object.keys(LINES)].map((path) => path.replace('src-main/', ''));
    expect(
      named.map(([, path = '']) => path.replace('NAME', path.startsWith('contract') ? 'launch' : 'launches')).sort(),
    ).toEqual(files.sort());
  });

  it('is fetched from the service, saved and counted', () => {
    expect(runPatched()).toMatchObject({
      outcome: { status: 'ok', skipped: 1 },
      saved: [{ id: 'one', title: 'A launch' }],
      rows: 1,
      events: expect.arrayContaining(['launches.changed']) as string[],
    });
  });

  it.each([METHODS, CLIENT, REGISTRY, READS, LABELS, HEALTH])('does not compile without its line in %s', (missing) => {
    expect(errorsWith(patchesWithout(missing), AFFECTED)).not.toEqual([]);
  });
});
