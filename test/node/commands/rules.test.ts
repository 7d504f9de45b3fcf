import { describe, expect, it } from 'vitest';
import { openOnce } from '../../support/open-once.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { jsonLines } from '../child.ts';
import { openSynced } from '../home.ts';
import { runHere } from '../shells.ts';

const standing = openOnce((atEnd) => openSynced({ content: { selected: 12, unselected: 12 }, atEnd }));

interface Item {
  id: string;
  category: string;
}

describe('rules on the command line', () => {
  it('mute and show again what a query matches', async () => {
    const nothing = await runHere(['mute', 'list'], { BROADSHEET_DATA: temporaryFolder() });
    expect(nothing.err).toContain('broadsheet sync');
    const { run } = standing().copy();
    const items = async (...args: string[]): Promise<Item[]> =>
      jsonLines<Item>((await run('list', 'items', '--json', ...args)).out);
    const all = await items();
    const category = all[0]?.category ?? '';
    const hidden = all.filter((one) => one.category === category).length;
    const added = await run('mute', 'add', `category:${category}`, '--json');
    const [rule] = jsonLines<{ id: string; hides: number }>(added.out);
    expect(rule).toMatchObject({ query: `category:${category}`, hides: hidden });
    expect((await run('mute', 'add', `category:${category}`)).out).toMatch(/^Already muted: category:/);
    expect(await items()).toHaveLength(all.length - hidden);
    expect(await items('--query', 'is:muted')).toHaveLength(hidden);
    expect((await run('mute', 'list')).out).toContain(`[${rule?.id ?? ''}]`);
    expect(await run('mute', 'remove', rule?.id ?? '')).toMatchObject({ code: 0, out: 'Mute rule removed\n' });
    expect(await items()).toHaveLength(all.length);
    expect(await run('mute', 'remove', 'nothing')).toMatchObject({ code: 1 });
    expect(await run('mute', 'add', 'is:unread')).toMatchObject({ code: 2 });
  });

  it('save a search and list what it has', async () => {
    const { run } = standing().copy();
    const all = jsonLines<Item>((await run('list', 'items', '--json')).out);
    const category = all[0]?.category ?? '';
    const wanted = all.filter((one) => one.category === category).map(({ id }) => id);
    const added = await run('saved', 'add', 'Mine', `category:${category}`, '--json');
    expect(jsonLines(added.out)).toMatchObject([{ name: 'Mine', count: { total: wanted.length } }]);
    expect(jsonLines<Item>((await run('list', 'saved', 'mine', '--json')).out).map(({ id }) => id)).toEqual(wanted);
    expect((await run('saved', 'list')).out).toContain(`Mine: category:${category}`);
    expect(await run('list', 'saved')).toMatchObject({ code: 2 });
    expect(await run('list', 'items', 'mine')).toMatchObject({ code: 2 });
    expect(await run('list', 'saved', 'nothing')).toMatchObject({ code: 1 });
    expect(await run('saved', 'remove', 'MINE')).toMatchObject({ code: 0 });
    expect((await run('saved', 'list')).err).toBe('No saved searches.\n');
  });

  it('notify, are renamed and moved', async () => {
    const { run } = standing().copy();
    const added = await run('saved', 'add', 'Agents', 'agent', '--notify', '--json');
    expect(jsonLines(added.out)).toMatchObject([{ name: 'Agents', notify: true }]);
    expect((await run('saved', 'change', 'agents', '--marks', 'star')).out).toContain('notifies, stars new items)');
    expect((await run('saved', 'change', 'agents', '--marks', 'none')).out).toContain('notifies)');
    expect(await run('saved', 'change', 'agents', '--marks', 'all')).toMatchObject({ code: 2 });
    await run('saved', 'add', 'Papers', 'category:paper');
    expect((await run('saved', 'list')).out).toMatch(/^Agents: agent \(.* unread, notifies\)\nPapers: .* unread\)\n$/);
    const changed = await run(
      'saved',
      'change',
      'papers',
      '--notify',
      '--name',
      'All papers',
      '--place',
      '1',
      '--json',
    );
    expect(jsonLines(changed.out)).toMatchObject([{ name: 'All papers', notify: true, position: 0 }]);
    await run('saved', 'change', 'Agents', '--no-notify', '--query', 'agents');
    const list = jsonLines<{ name: string; query: string; notify: boolean }>(
      (await run('saved', 'list', '--json')).out,
    );
    expect(list.map(({ name, query, notify }) => [name, query, notify])).toEqual([
      ['All papers', 'category:paper', true],
      ['Agents', 'agents', false],
    ]);
    expect(await run('saved', 'change', 'Agents')).toMatchObject({ code: 2 });
    expect(await run('saved', 'change', 'Agents', '--place', '0')).toMatchObject({ code: 2 });
    expect(await run('saved', 'change', 'nothing', '--notify')).toMatchObject({ code: 1 });
  });
});
