import { fireEvent, within, type BoundFunctions, type queries } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import { calendarTime } from '../../../../src-main/common/time-text.ts';
import type { StoredStory, StoryLine } from '../../../../src-main/contract/model/story.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { language } from '../../../../src-renderer/ui/language.svelte.ts';
import { COVERAGE, openCore, type CoreWire } from '../../support/core.ts';
import { openPage } from '../../support/page.ts';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, chooseTab, click, headings, named, show, shown } from '../../support/shown-view.ts';

askShownView();

const [FIRST, SECOND] = [/Vantrell 的推理预算/, /24 people move/];
const UNREACHABLE = { code: 'unreachable', message: '', retryable: true } as const;
const ROW_HEIGHT = 116;

let wire: CoreWire;
let app: AppState;
/** The stories of the ranking. */
let first: StoredStory;
let second: StoredStory;

beforeEach(async () => {
  wire = await openCore(COVERAGE);
  const { stories } = await wire.ask('stories.list', { which: 'all' });
  const saved = await Promise.all(stories.map(({ publicId }) => wire.ask('stories.get', { publicId })));
  [first, second] = [FIRST, SECOND].map((title) => saved.find((story) => title.test(story.title))!) as [
    StoredStory,
    StoredStory,
  ];
  ({ app } = await openPage(wire, { withoutRows: true }));
});

const list = (which: string): HTMLElement => named('listbox', `Topics: ${which}`);
const rows = (which = 'All'): HTMLElement[] => within(list(which)).getAllByRole('option');
const reading = (): BoundFunctions<typeof queries> => within(document.querySelector<HTMLElement>('#stories-reading')!);

async function open(publicId: string): Promise<void> {
  app.views.stories.open(publicId);
  await settle();
}

/** Holds the next answer to opening a story back. Returns a function that lets it through. */
function holdOpening(): () => Promise<void> {
  const answer = wire.hold('stories.open');
  return async () => {
    answer();
    await settle();
  };
}

/** Shows stories otherwise than the service has them. */
function changeStories(changed: <S extends StoredStory | StoryLine>(story: S) => S): void {
  wire.answer('stories.get', async (args) => changed(await wire.ask('stories.get', args)));
  wire.answer('stories.open', async (args) => changed(await wire.ask('stories.open', args)));
  wire.answer('stories.list', async (args) => {
    const { stories } = await wire.ask('stories.list', args);
    return { stories: stories.map(changed) };
  });
}

const changeFirst = (changes: Partial<StoredStory>): void =>
  changeStories((story) => (story.publicId === first.publicId ? { ...story, ...changes } : story));

/** The first story has had news since the last visit. They count as seen once it was opened. */
function addNews(): void {
  const news = { reportIds: first.reports.slice(0, 2).map(({ id }) => id), digest: true };
  let isSeen = false;
  changeStories((story) => {
    if (story.publicId !== first.publicId || isSeen) return story;
    return 'fresh' in story ? { ...story, fresh: news } : { ...story, freshReports: 2 };
  });
  wire.answer('stories.open', async (args) => {
    const story = await wire.ask('stories.open', args);
    if (story.publicId !== first.publicId || isSeen) return story;
    isSeen = true;
    wire.emit('stories.changed', { publicIds: [story.publicId] });
    return { ...story, fresh: news };
  });
}

describe('stories', () => {
  it('are listed by kind, named for screen readers, and say in which language each title is', async () => {
    await wire.ask('stories.star', { publicId: first.publicId, star: true });
    await show('Topics', 'All');
    const row = rows().find((one) => FIRST.test(one.textContent))!;
    const time = calendarTime(Date.parse(first.latestAt!), Date.now(), language.dateLocale, 'list');
    expect(row.getAttribute('aria-label')).toBe(
      `Unread. ${first.title}. ${first.sourceCount} sources, ${time}. Starred`,
    );
    expect(row.getAttribute('aria-description')).toContain('推理预算');
    const languageOf = (title: RegExp): string | null | undefined =>
      rows()
        .find((one) => title.test(one.textContent))
        ?.querySelector('.title')
        ?.getAttribute('lang');
    expect([FIRST, SECOND].map(languageOf)).toEqual(['zh', 'en']);

    const { stories } = await wire.ask('stories.list', { which: 'all' });
    const { topics } = await wire.ask('hotTopics.list', {});
    const others = topics.filter(({ storyId }) => !stories.some(({ publicId }) => publicId === storyId));
    expect(others).not.toEqual([]);
    expect(rows()).toHaveLength(stories.length + others.length);
    const titles = rows().map((row) => row.querySelector('.title')?.textContent);
    for (const { title } of [...stories, ...topics]) expect(titles).toContain(title);
    const [other] = others;
    await click('option', new RegExp(`^Unread\\. ${other!.title}`));
    expect(headings()).toContain(other!.title);
    expect(rows().filter((row) => row.getAttribute('aria-label')?.startsWith('Unread')).length).toBeLessThan(
      rows().length,
    );
    await chooseTab('Following');
    expect(headings()).toContain('No followed topics yet');
  });

  it('stay where they are when others come above them', async () => {
    const [line] = (await wire.ask('stories.list', { which: 'all' })).stories;
    const made = (n: number): StoryLine => ({ ...line!, publicId: `s${n}`, title: `Story ${n}` });
    let stories = Array.from({ length: 30 }, (_, n) => made(n));
    wire.answer('stories.list', () => ({ stories }));
    wire.answer('hotTopics.list', () => ({ topics: [], since: null }));
    await show('Topics', 'All');
    await fireEvent.keyDown(list('All'), { key: 'ArrowDown' });
    list('All').scrollTop = 6.5 * ROW_HEIGHT;
    await fireEvent.scroll(list('All'));
    await settle();
    stories = [made(101), made(100), ...stories];
    wire.emit('stories.changed', { publicIds: [] });
    await settle();
    expect(list('All').scrollTop).toBe(8.5 * ROW_HEIGHT);
    const active = document.getElementById(list('All').getAttribute('aria-activedescendant')!);
    expect(active?.getAttribute('aria-label')).toMatch(/^Story 0\./);
  });

  it('mark what is new since the last visit in their lists until they are opened, and primary sources', async () => {
    addNews();
    await wire.ask('stories.follow', { publicId: first.publicId, follow: true });
    await settle();
    await show('Topics', 'All');
    await chooseTab('Following');
    expect(rows('Following')).toHaveLength(1);
    await click('option', /^2 new/);
    expect(rows('Following')[0]!.getAttribute('aria-label')).not.toMatch(/new/);
    expect(shown().queryAllByText('2 new since your last visit')).toHaveLength(1);
    expect(shown().queryAllByText('Updated since your last visit')).toHaveLength(1);
    expect(shown().getAllByText('New')).toHaveLength(2);
    expect(shown().getAllByText('Primary source')).toHaveLength(2);
    // They count as seen by now, and stay marked until the story is opened again.
    wire.emit('stories.changed', { publicIds: [first.publicId] });
    await settle();
    expect(shown().queryAllByText('2 new since your last visit')).toHaveLength(1);
    await open(second.publicId);
    await open(first.publicId);
    expect(shown().queryByText(/since your last visit/)).toBeNull();
  });

  it('are shown while they are fetched if they are saved, else afterwards, and say why that failed, with a retry', async () => {
    const answer = holdOpening();
    wire.failing.set('stories.open', { ...UNREACHABLE, code: 'timeout' });
    await show('Topics', 'All');
    await click('option', FIRST);
    const states = () => reading().queryAllByText(/^(Updating…|Couldn’t update\. Showing the saved version\.)$/);
    const told = (): string[] => states().map(({ textContent }) => textContent);
    expect(headings()).toContain('Coverage');
    expect(told()).toEqual(['Updating…']);
    await answer();
    expect(headings()).toContain('Coverage');
    expect(told()).toEqual(['Couldn’t update. Showing the saved version.']);

    const answerLater = holdOpening();
    wire.failing.set('stories.open', UNREACHABLE);
    await open(first.storyline[0]!.publicId);
    const headed = (): string[] =>
      headings().filter((heading) => /^(Something went wrong|Coverage|No longer available)$/.test(heading));
    expect(headed()).toEqual([]);
    await answerLater();
    expect(headed()).toEqual(['Something went wrong']);
    wire.failing.clear();
    await click('button', 'Try again');
    expect(headed()).toEqual(['Coverage']);
    await open('s-unknown');
    expect(headed()).toEqual(['No longer available']);
  });

  // Holds: news-2-story-related
  it('open related stories in the page and go back, and say that they were merged', async () => {
    await show('Topics', 'All');
    await click('option', FIRST);
    const [earlier] = first.storyline;
    expect(reading().queryByText('related')).toBeNull();
    await clickOn(reading().getByRole('button', { name: `${earlier!.title} Earlier` }));
    expect(reading().getByRole('heading', { level: 2 }).textContent).toContain(earlier!.title);
    await click('button', 'Back to previous topic');
    expect(reading().getByRole('heading', { level: 2 }).textContent).toMatch(FIRST);

    for (const method of ['stories.get', 'stories.open'] as const) {
      wire.answer(method, ({ publicId }) =>
        wire.ask(method, { publicId: publicId === 's-old' ? first.publicId : publicId }),
      );
    }
    await open('s-old');
    expect(shown().queryAllByText('The topic you opened is now part of this one.')).toHaveLength(1);
    await open(first.publicId);
    expect(shown().queryByText('The topic you opened is now part of this one.')).toBeNull();
  });

  it('that are gone are shown as saved, with what is known of their articles, which open in the browser', async () => {
    const [report, ...rest] = first.reports;
    const raw = { ...report!, source: { name: 'Lab：Blog（note）', firstParty: false } };
    const reports = [raw, ...rest].map((one) => ({ ...one, itemId: null }));
    changeFirst({ goneAt: first.fetchedAt, reportCount: 86, reports, digest: null });
    await show('Topics', 'All');
    await click('option', /No longer available/);
    expect(shown().queryAllByText('This topic is no longer available online. Showing the saved version.')).toHaveLength(
      1,
    );
    expect(headings()).toContain('Coverage');
    expect(reading().queryByText('Developing')).toBeNull();
    expect(reading().getByTitle('Lab：Blog（note）').textContent).toBe('Lab：Blog');
    const text = document.querySelector('#stories-reading')!.textContent;
    expect(text).toContain('86 articles, 11 listed');
    expect(text).not.toContain('Digest updated');
    await fireEvent.click(reading().getAllByRole('link', { name: report!.title })[0]!);
    expect(wire.argsOf('links.open')).toEqual([{ url: report!.links.original }]);
  });
});
