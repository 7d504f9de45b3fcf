import { describe, expect, it } from 'vitest';
import type { RankedTopic, StoredStory, StoryLine } from '../../../src-main/contract/model/story.ts';
import type { SyncResult } from '../../../src-main/contract/model/sync-status.ts';
import { neighbor, report, notifiedStories, topic } from '../../support/told-stories.ts';
import { jsonLines } from '../child.ts';
import { openHome } from '../home.ts';

async function openScene() {
  const told = notifiedStories();
  return { told, ...(await openHome({ content: { selected: 3, unselected: 0 }, intercept: told.intercept })) };
}

describe('hot topics and stories on the command line', () => {
  it('are complete after one sync, with equal fields, and stay saved without the service', async () => {
    const { told, service, run } = await openScene();
    const ranking = [2, 3, 7].map((rank) => topic(rank, `i${rank}`, { story: `s${rank}`, heat: rank }));
    told.rank(ranking);
    const served = [2, 3, 7].map((rank) =>
      told.tell(`s${rank}`, { mood: 'calm', storyline: [neighbor('s2')], related: [neighbor('s3', { weight: 1 })] }),
    );
    const [synced] = jsonLines<SyncResult>((await run('sync', '--all', '--json')).out);
    expect(synced?.resources).toMatchObject({
      hotTopics: { status: 'ok', requests: 1, added: 3 },
      stories: { status: 'ok', requests: 3, added: 3 },
    });
    await service.close();
    const topics = jsonLines<RankedTopic>((await run('list', 'hot', '--json')).out);
    expect(topics).toMatchObject(ranking.map(({ heat, ...known }) => ({ ...known, extra: { heat } })));
    const lines = jsonLines<StoryLine>((await run('list', 'stories', '--json')).out);
    expect(lines.map(({ publicId }) => publicId).sort()).toEqual(['s2', 's3', 's7']);
    for (const [index, { mood, related, ...known }] of served.entries()) {
      const id = ['s2', 's3', 's7'][index] ?? '';
      const [story] = jsonLines<StoredStory>((await run('show', 'story', id, '--json')).out);
      expect(related).toHaveLength(1);
      expect(story).toMatchObject({
        ...known,
        related: [{ ...neighbor('s3'), extra: { weight: 1 } }],
        extra: { mood },
      });
    }
  });

  it('are printed as text', async () => {
    const { told, run } = await openScene();
    told.rank([topic(2, 'i2', { story: 's', title: 'A topic' })]);
    told.tell('s', {
      title: 'A story',
      reports: [report('r1', { source: { name: 'The lab', firstParty: true } })],
      storyline: [neighbor('before', { relation: 'earlier' })],
    });
    await run('sync');
    expect((await run('list', 'hot')).out).toMatch(
      /^ 2 new A topic - A source, 3 sources, .*peak 2, story s \[i2\]\n$/,
    );
    expect((await run('list', 'stories')).out).toMatch(/A story \(active, 1 report, hot\) \[s\]\n$/);
    const { code, out } = await run('show', 'story', 's');
    expect(code).toBe(0);
    for (const words of [
      'A story\n',
      'What is **known**.',
      'Report r1 - The lab, primary source',
      'Story before (earlier) [before]',
    ])
      expect(out).toContain(words);
  });

  it('name sources shortly, count unlisted reports, and do not call a missing story active', async () => {
    const { told, run } = await openScene();
    const raw = { name: 'X：The lab (@lab)', firstParty: false };
    told.rank([topic(1, 'i1', { story: 's', source: raw }), topic(2, 'i2', { story: 'gone', title: 'Lost' })]);
    told.tell('s', { reportCount: 86, reports: [report('r1', { source: raw }), report('r2')] });
    told.tell('gone');
    await run('sync');
    told.lose('gone');
    await run('sync', '--all');
    const hot = (await run('list', 'hot')).out;
    expect(hot).toContain('Topic i1 - The lab, 3 sources');
    expect(hot).toMatch(/Lost - .*story gone \(no longer available\) \[i2\]/);
    expect(jsonLines<RankedTopic>((await run('list', 'hot', '--json')).out)[0]?.source.name).toBe(raw.name);
    const lines = (await run('list', 'stories')).out;
    expect(lines).toMatch(/Story gone \(1 report, hot, no longer available\) \[gone\]/);
    const { out } = await run('show', 'story', 's');
    expect(out).toMatch(/^Reports +86, 2 listed$/m);
    expect(out).toContain('Report r1 - The lab https://');
    expect((await run('show', 'story', 'gone')).out).not.toMatch(/active|settled/);
  });

  it('respect a limit', async () => {
    const { told, run } = await openScene();
    told.rank([1, 2, 3].map((rank) => topic(rank, `i${rank}`, { story: `s${rank}` })));
    for (const id of ['s1', 's2', 's3']) told.tell(id);
    await run('sync');
    expect(jsonLines((await run('list', 'hot', '--json', '--limit', '2')).out)).toHaveLength(2);
    expect(jsonLines((await run('list', 'stories', '--json', '--limit', '1')).out)).toHaveLength(1);
    expect(await run('list', 'stories', '--starred')).toMatchObject({ code: 0, out: '' });
  });

  it('show the merged story under either id, and the saved version of a removed one', async () => {
    const { told, run } = await openScene();
    told.rank([topic(1, 'i1', { story: 'old' }), topic(2, 'i2', { story: 'gone' })]);
    for (const id of ['old', 'new', 'gone']) told.tell(id);
    await run('sync');
    told.merge('old', 'new');
    told.lose('gone');
    await run('sync', '--all');
    for (const id of ['old', 'new']) {
      expect(jsonLines((await run('show', 'story', id, '--json')).out)).toMatchObject([{ publicId: 'new' }]);
    }
    expect((await run('show', 'story', 'gone')).out).toMatch(/Status +no longer available since/);
  });

  it('report an unknown id in one line with exit code 1, and send no request', async () => {
    const { told, run } = await openScene();
    expect(await run('show', 'story', 'x')).toMatchObject({ code: 1, out: '' });
    told.tell('x');
    await run('sync');
    const before = told.asked.length;
    const { code, out, err } = await run('show', 'story', 'x');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^broadsheet: [^\n]+\n$/);
    expect(told.asked).toHaveLength(before);
  });
});
