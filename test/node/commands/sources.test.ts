import { describe, expect, it } from 'vitest';
import type { StoredItem } from '../../../src-main/contract/model/item.ts';
import type { SourceLine, SourcePage } from '../../../src-main/contract/model/source.ts';
import { sourceKey } from '../../../src-main/common/source-label.ts';
import { openStore } from '../../../src-main/store/index.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { item } from '../../support/items.ts';
import { SOURCE, storeListed } from '../../support/store.ts';
import { jsonLines } from '../child.ts';
import { runHere } from '../shells.ts';

const data = temporaryFolder;

function filled(): (...args: string[]) => Promise<{ code: number; out: string; err: string }> {
  const folder = data();
  const store = openStore({ folder, source: SOURCE, now: () => Date.now() });
  const at = new Date().toISOString();
  const of = (id: string, name: string) => item({ id, source: { name }, discoveredAt: at });
  storeListed(store, [of('a', 'X：Lab (@lab)'), of('b', 'Lab'), of('c', 'Other')]);
  store.close();
  return (...args) => runHere(args, { BROADSHEET_NEWS_URL: SOURCE, BROADSHEET_DATA: folder });
}

describe('sources on the command line', () => {
  it('are listed, shown by any name, and limit lists of items', async () => {
    const run = filled();
    const all = jsonLines<SourceLine>((await run('sources', '--json')).out);
    expect(all.map(({ name, items, unread, recent }) => [sourceKey(name), items, unread, recent])).toEqual([
      ['lab', 2, 2, 2],
      ['other', 1, 1, 1],
    ]);
    const limited = await run('sources', '--limit', '1', '--sort', 'name');
    expect(limited).toMatchObject({ code: 0, err: '' });
    expect(limited.out.trim()).toMatch(/^Lab \(2 items, 2 unread, 0\.5 a week, 0 % picks\)$/);
    const [page] = jsonLines<SourcePage>((await run('show', 'source', 'LAB', '--json')).out);
    expect(page).toMatchObject({ items: 2, selected: 0 });
    expect(page?.weeks).toHaveLength(26);
    expect((await run('show', 'source', 'Lab')).out).toContain('Items        2, 2 unread');
    const items = jsonLines<StoredItem>((await run('list', 'items', '--source', 'lab', '--json')).out);
    expect(items.map(({ id }) => id).toSorted()).toEqual(['a', 'b']);
  });

  it('that are not known are said', async () => {
    const run = filled();
    const missing = await run('show', 'source', 'Nobody');
    expect(missing.code).toBe(1);
    expect(missing.err).toContain('No saved item is from this source.');
    expect(await run('sources', '--sort', 'size')).toMatchObject({ code: 2 });
  });
});
