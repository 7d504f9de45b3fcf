import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_KEY } from '../../../src-main/contract/model/model.ts';
import type { StoredItem } from '../../../src-main/contract/model/item.ts';
import type { StoredNotification } from '../../../src-main/contract/model/notification.ts';
import { startDemoService, type DemoService } from '../../../src-main/demo/service.ts';
import { refreshAsJson } from '../../../src-main/node/commands/models.ts';
import { notificationAsJson } from '../../../src-main/node/commands/notifications.ts';
import { fakeClock } from '../../support/clock.ts';
import { jsonLines } from '../child.ts';
import { runHere } from '../shells.ts';

/** The names in an object, by where that is: `.` for a line, `.links` for an object in it. */
type Fields = Record<string, string>;
/** The names of the first version, by command. Scripts read them: a name may be added, none may be changed or go. */
const FIELDS = JSON.parse(readFileSync(new URL('json-fields.json', import.meta.url), 'utf8')) as Record<string, Fields>;
/** Objects whose members are the services' and not ours. */
const OTHERS = new Set(['pricing', 'record', 'extra', 'tier']);

let folder: string;
let service: DemoService;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'broadsheet-json-'));
  service = await startDemoService({
    clock: fakeClock('2026-11-21T23:30:00Z'),
    since: Date.parse('2026-10-28'),
  });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => {
  const services = ['--news', service.newsAddress, '--models', service.modelsAddress];
  return runHere([...args, '--json', '--data', path.join(folder, 'data'), ...services], {
    BROADSHEET_MODELS_KEY: DEMO_KEY,
  });
};

/** Every name in some lines of JSON. */
function fieldsIn(records: unknown[]): Fields {
  const found: Record<string, Set<string>> = {};
  const collect = (value: unknown, place: string): void => {
    if (Array.isArray(value)) for (const member of value) collect(member, `${place}[]`);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        (found[place || '.'] ??= new Set()).add(name);
        if (!OTHERS.has(name)) collect(member, `${place}.${name}`);
      }
    }
  };
  for (const record of records) collect(record, '');
  return Object.fromEntries(Object.entries(found).map(([place, names]) => [place, [...names].sort().join(' ')]));
}

describe('the field names of --json', () => {
  it('are those of the first version, for every command that reads', async () => {
    const printed: Record<string, Fields> = {};
    const note = async (...args: string[]): Promise<unknown[]> => {
      const { out } = await run(...args);
      const records = jsonLines<unknown>(out);
      printed[args.slice(0, 2).join(' ')] = fieldsIn(records);
      return records;
    };
    const firstOf = async (what: string, name: string): Promise<string> =>
      String(((await note('list', what)) as Record<string, unknown>[])[0]?.[name]);

    await note('sync', '--all');
    await note('status', '--check');
    for (const what of ['picks', 'hot', 'dailies', 'weeklies', 'monthlies']) await note('list', what);
    const items = (await note('list', 'items')) as StoredItem[];
    await note('show', 'item', items.find(({ models }) => models.length > 0)?.id ?? '');
    await note('show', 'story', await firstOf('stories', 'publicId'));
    await note('show', 'model', await firstOf('models', 'id'));
    for (const kind of ['daily', 'weekly', 'monthly']) await note('show', kind, 'latest');
    const file = path.join(folder, 'export.json');
    await note('data', 'export', file);
    await note('data', 'import', file);
    await note('data', 'backup');
    await note('data', 'backups');
    expect(printed).toEqual(FIELDS);
  });

  it('are those of the first version for what a new folder has none of', () => {
    const refresh = refreshAsJson({ id: 1, modelList: 'models', at: '', otherKey: false, changes: [] });
    expect(Object.keys(refresh).sort()).toEqual(['at', 'changes', 'id', 'listing', 'otherKey']);
    const told = { id: 1, kind: 'models', at: '', title: '', label: null, count: 1, toldAt: null } as const;
    const targets: [StoredNotification['target'], object][] = [
      [{ view: 'notifications' }, { view: 'notices' }],
      [
        { view: 'report', kind: 'daily', label: '2026-11-20' },
        { view: 'edition', kind: 'daily', label: '2026-11-20' },
      ],
      [
        { view: 'model', modelList: 'models', id: 'a/b' },
        { view: 'model', listing: 'models', id: 'a/b' },
      ],
      [
        { view: 'item', id: 'a' },
        { view: 'item', id: 'a' },
      ],
    ];
    for (const [target, printed] of targets)
      expect(notificationAsJson({ ...told, target })).toEqual({ ...told, target: printed });
  });
});
