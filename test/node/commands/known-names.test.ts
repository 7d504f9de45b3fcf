import { describe, expect, it } from 'vitest';
import { openOnce } from '../../support/open-once.ts';
import { openSynced } from '../home.ts';

const standing = openOnce((atEnd) => openSynced({ content: { selected: 12, unselected: 60 }, atEnd }));
const run = (...args: string[]) => standing().run(...args);
const firstSource = async () => (await standing().lines<{ name: string }>('sources'))[0]?.name ?? '';

const CATEGORIES = 'ai-models, ai-products, industry, opinion, paper, tip';
const sorted = (text: string): string => text.split(', ').sort().join(', ');
const knownIn = (err: string): string => /Known: (.*)\.$/m.exec(err)?.[1] ?? '';

describe('a category or source that nothing saved has', () => {
  it.each([
    ['list', 'items'],
    ['list', 'picks'],
    ['export', 'items', '--format', 'csv', '--out', 'never-written.csv'],
  ])('ends %s %s, which names the known ones', async (...args) => {
    const { code, out, err } = await run(...args, '--category', 'papers-of-all');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^broadsheet: There is no category “papers-of-all” here\. Known: .*\n$/);
    expect(sorted(knownIn(err))).toBe(CATEGORIES);
  });

  it('is answered with the nearest sources first, and not with all', async () => {
    const source = await firstSource();
    const { code, out, err } = await run('list', 'items', '--source', `${source.slice(0, -1)}#`);
    expect([code, out]).toEqual([1, '']);
    expect(knownIn(err)).toMatch(/^(?:[^,]+, ){7}[^,]+ and \d+ more: see `broadsheet sources`$/);
    expect(knownIn(err).startsWith(`${source}, `)).toBe(true);
  });

  it.each<string[]>([
    ['list', 'items', '--query'],
    ['search'],
    ['mute', 'add'],
    ['saved', 'add', 'Mine'],
    ['saved', 'change', 'Mine', '--query'],
  ])('is named where a query has it: %s %s', async (...args) => {
    const { code, err } = await run(...args, 'category:nope source:nope');
    expect(code).toBe(0);
    expect(err.match(/There is no category “nope” here/g)).toHaveLength(1);
    expect(err.match(/There is no source “nope” here/g)).toHaveLength(1);
  });

  it('is not one that is written otherwise', async () => {
    const source = await firstSource();
    expect(await run('list', 'items', '--category', 'Papers', '--source', source.toUpperCase())).toMatchObject({
      code: 0,
    });
    const word = source.split(' ')[0] ?? '';
    expect((await run('list', 'items', '--query', `category:论文 source:${word}`)).err).not.toContain('There is no');
  });
});
