import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RankedTopic, RankHistory } from '../../../../src-main/contract/model/story.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { topicKey } from '../../../../src-renderer/features/topics/index.ts';
import { COVERAGE, NOW, openCore, type CoreWire } from '../../support/core.ts';
import { openPage } from '../../support/page.ts';
import { clickOn, keyDown } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, chooseTab, click, headings, named, show, shown } from '../../support/shown-view.ts';
import { waitFor } from '../../support/wait.ts';

askShownView();

const HOUR = 3_600_000;
const SCRIPT = '<script>window.broken = true</script><b>bold</b>';
/** The first two topics have stories. */
const [FIRST, SECOND, THIRD] = [/Vantrell/, /24 people move/, /Hearth/];

let wire: CoreWire;
let app: AppState;

beforeEach(async () => {
  wire = await openCore(COVERAGE);
  ({ app } = await openPage(wire, { withoutRows: true }));
  await show('Topics');
});

const rows = (): HTMLElement[] => within(named('listbox', 'Topic ranking')).getAllByRole('option');
const nameOf = (row: HTMLElement | undefined): string | null | undefined => row?.getAttribute('aria-label');
const reading = (): string => document.querySelector('#hotTopics-reading')?.textContent ?? '';

/** Shows another ranking than the service has. */
async function rank(changed: (topics: RankedTopic[]) => RankedTopic[]): Promise<void> {
  wire.answer('hotTopics.list', async () => {
    const { topics, since } = await wire.ask('hotTopics.list', {});
    return { topics: changed(topics), since };
  });
  wire.emit('hotTopics.changed', {});
  await settle();
}

const changeFirst = (changes: Partial<RankedTopic>): Promise<void> =>
  rank(([first, ...rest]) => [{ ...first!, ...changes }, ...rest]);

function historyOf(ranks: readonly (number | null)[]): RankHistory {
  const points = ranks.map((rank, n) => ({ at: new Date(NOW - (ranks.length - n) * 1.6 * HOUR).toISOString(), rank }));
  return { firstSeenAt: points[0]!.at, peak: { rank: 2, at: points.at(-1)!.at }, reentries: 1, points };
}

describe('hot topics', () => {
  it('are a ranked list that names gaps and languages, is opened by the arrow keys, and follows what is read', async () => {
    expect(rows()).toHaveLength(10);
    const languages = rows().map((row) => row.querySelector('.title')?.getAttribute('lang'));
    expect(languages.slice(0, 3)).toEqual(['zh', 'en', 'zh']);
    const moved = [1, -1, 0, null];
    await rank((topics) =>
      topics
        .filter((topic) => ![3, 8, 9].includes(topic.rank))
        .map((topic, n) => ({ ...topic, moved: moved[n] ?? null })),
    );
    expect(rows()).toHaveLength(7);
    expect(nameOf(rows()[0])).toMatch(/^No. 1, up 1. Unread. .*Vantrell/);
    expect(nameOf(rows()[3])).toMatch(/^No. 5, new. /);
    const gaps = rows().map((row) => row.getAttribute('aria-description'));
    expect(gaps).toEqual([null, null, 'No. 3 not listed', null, null, null, 'Nos. 8 to 9 not listed']);
    expect(rows()[2]?.textContent).toContain('No. 3 not listed');

    expect(nameOf(rows()[1])).toContain('Unread');
    const list = named('listbox', 'Topic ranking');
    list.focus();
    await fireEvent.keyDown(list, { key: 'ArrowDown' });
    await keyDown(list, { key: 'ArrowDown' });
    expect(app.views.hotTopics.topic?.rank).toBe(2);
    expect(list.getAttribute('aria-activedescendant')).toBe(rows()[1]?.id);
    expect(rows().map((row) => row.ariaSelected)).toEqual(rows().map((_, n) => String(n === 1)));
    expect(document.activeElement).toBe(list);
    expect(nameOf(rows()[1])).not.toContain('Unread');
    const { id } = app.views.hotTopics.topic!;
    expect((await wire.stateOf(id)).readAt).not.toBeNull();
    await wire.ask('items.mark', { ids: [id], mark: 'unread' });
    await settle();
    expect(nameOf(rows()[1])).toContain('Unread');
  });

  it('show the history of a topic as chart and table, with its digest and coverage, and open articles over it', async () => {
    await changeFirst({ history: historyOf([9, 7, 4, 4, null, null, 8, 5, 2]) });
    await click('option', FIRST);
    const chart = shown().getByRole('img', { name: /^Rank over time/ });
    expect(chart.getAttribute('aria-label')).toContain('Now: No. 1');
    expect(chart.querySelectorAll('path.run')).toHaveLength(2);
    expect(chart.querySelectorAll('line.absence')).toHaveLength(1);
    await fireEvent.click(shown().getByText('Show as table'));
    const table = await waitFor(() => named('table', 'Rank over time'));
    const lines = within(table).getAllByRole('row');
    expect(lines).toHaveLength(10);
    expect(lines[1]?.textContent).toMatch(/2\s*$/);
    expect(lines[5]?.textContent).toContain('not ranked');
    // A chart of one dot would say nothing.
    await changeFirst({ history: historyOf([1]) });
    expect(headings()).not.toContain('Rank over time');
    await changeFirst({ history: historyOf([9, 7, 1]) });
    await click('option', FIRST);
    expect(headings()).toEqual(expect.arrayContaining(['Coverage', 'Rank over time']));
    expect(reading()).toContain('No. 1 of the hot topics');
    expect(reading()).toContain('Digest updated');
    const { storyId } = app.views.hotTopics.topic!;
    const { reports } = await wire.ask('stories.get', { publicId: storyId! });
    await clickOn(shown().getAllByRole('link', { name: reports[0]!.title })[0]!);
    expect(app.reading.itemIn('hotTopics')?.id).toBe(reports[0]!.itemId);
    await click('button', 'Back to the topic');
    expect(headings()).toContain('Coverage');
    await clickOn(shown().getByRole('button', { name: /Earlier$/ }));
    expect(reading()).not.toContain('No. 1 of the hot topics');
    await click('button', 'Back to previous topic');
    expect(reading()).toContain('No. 1 of the hot topics');
  });

  it('are followed from their page, listed in Following, and unfollowed there', async () => {
    await chooseTab('Following');
    expect(shown().queryAllByText('Select Follow above a topic to see its news here.')).toHaveLength(1);
    await chooseTab('Hot');
    await click('option', SECOND);
    expect(named('button', 'Follow').getAttribute('aria-pressed')).toBe('false');
    await click('button', 'Follow');
    await chooseTab('Following');
    const list = named('listbox', 'Topics: Following');
    expect(within(list).getAllByRole('option')).toHaveLength(1);
    await click('option', SECOND);
    expect(document.querySelector('#stories-reading')?.textContent).toContain('No. 2 of the hot topics');
    const pane = within(document.querySelector<HTMLElement>('#stories-reading')!);
    const following = pane.getByRole('button', { name: 'Following' });
    expect(following.getAttribute('aria-pressed')).toBe('true');
    await clickOn(following);
    expect(headings()).toContain('No followed topics yet');
  });

  it('are found by the story of a link once they are no longer ranked', async () => {
    const [first] = (await wire.ask('hotTopics.list', {})).topics;
    await rank((topics) => topics.slice(1));
    await app.navigation.openTopic(topicKey(first!));
    await settle();
    expect(app.history.location).toMatchObject({
      view: 'stories',
      open: [{ view: 'story', publicId: first!.storyId }],
    });
  });

  it('without a story say why they can’t be followed, and lead to their article; sources are short in the list, and markup is text', async () => {
    const name = 'X：宝玉 (@dotey)';
    await rank((topics) =>
      topics.map((topic) =>
        THIRD.test(topic.title) ? { ...topic, source: { name }, sourceNames: [name], sourceCount: 1 } : topic,
      ),
    );
    const row = named('option', THIRD);
    expect(row.textContent).toContain('宝玉');
    expect(row.textContent).not.toContain('@dotey');
    await click('option', THIRD);
    expect(screen.getAllByText(name)).toHaveLength(1);
    expect(shown().getByTitle(name).textContent).toBe('宝玉');
    expect(shown().queryByRole('button', { name: 'Follow' })).toBeNull();
    expect(headings()).not.toContain('Coverage');
    expect(reading()).toContain('It can be followed once its articles have arrived.');
    await changeFirst({ title: SCRIPT, sourceNames: [SCRIPT], storyId: null });
    await click('option', /window.broken/);
    expect(screen.getAllByText(SCRIPT).length).toBeGreaterThan(1);
    expect('broken' in window).toBe(false);
    await click('button', 'Open article');
    expect(app.reading.itemIn('hotTopics')?.id).toBe(app.views.hotTopics.topic!.id);
  });

  it('keep the open topic when it leaves the ranking, and the last ranking if a new one can’t be read', async () => {
    await click('option', SECOND);
    await rank(([, second, ...rest]) => [{ ...second!, rank: 1 }, ...rest]);
    expect(reading()).toContain('No. 1');
    await rank((topics) => topics.filter(({ title }) => !SECOND.test(title)));
    expect(reading()).toMatch(SECOND);
    expect(reading()).toContain('Showing its last position');
    wire.failing.set('hotTopics.list', { code: 'unreachable', message: '', retryable: true });
    wire.emit('hotTopics.changed', {});
    await settle();
    expect(rows()).toHaveLength(9);
    wire.failing.clear();
    await rank(() => []);
    expect(headings()).toContain('No ranking yet');
  });
});
