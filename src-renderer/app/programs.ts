import { reportName } from '../../src-main/common/i18n/labels.ts';
import { readableReport, storiesOf } from '../../src-main/common/readable-report.ts';
import { oneLine, paragraphs, plainText } from '../../src-main/common/text.ts';
import type { StoredItem } from '../../src-main/contract/model/item.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import type { LiveAnswers } from '../api/live.ts';
import type { ArchiveContext } from '../features/archive/index.ts';
import type { ListenContext, Listening, Passage, Program } from '../features/listen/index.ts';
import type { ReadingState } from '../features/reading/index.ts';
import type { TodayState } from '../features/today/index.ts';
import { language } from '../ui/language.svelte.ts';
import type { PageHistory } from '../ui/page-context.ts';
import type { ItemsState } from './items.svelte.ts';

const LONGEST_TITLE = 1000;
const LONGEST_TEXT = 100_000;

interface App {
  readonly archive: ArchiveContext;
  readonly history: PageHistory;
  readonly items: ItemsState;
  readonly listening: Listening;
  readonly live: LiveAnswers;
  readonly reading: ReadingState;
  readonly settings: { readonly current: Settings };
  readonly views: { readonly today: TodayState };
}

export function programsOf(app: App): ListenContext['listenTo'] {
  return {
    item: (item) => void app.listening.start(() => itemProgram(app, item)),
    daily: () => void app.listening.start(() => todaysProgram(app, (today) => today.openDaily())),
    lead: () => void app.listening.start(() => todaysProgram(app, (today) => today.stepUnread())),
    report: () => void app.listening.start(() => reportProgram(app)),
    unread: () => void app.listening.start(() => unreadProgram(app)),
  };
}

/** @param show opens one of today's reports */
async function todaysProgram(app: App, show: (today: TodayState) => void): Promise<Program | null> {
  const { today } = app.views;
  await today.load();
  show(today);
  const { open } = app.archive.walk;
  if (open) await app.live.get('reports.get', { kind: open.kind, label: open.label }).ready();
  return reportProgram(app);
}

function itemProgram(app: App, item: StoredItem): Program {
  const passages = [passageOf(app, item)];
  return { step: (by) => Promise.resolve((by === 1 && passages.pop()) || null) };
}

/** The open item, and then the unread ones after it; the first unread one if none is open. */
function unreadProgram(app: App): Program {
  const { history, items, reading } = app;
  let begun = false;
  return {
    step: async (by) => {
      const first = begun || history.isPreview('feed') ? null : reading.item;
      const isFound =
        first !== null || (by === 1 ? await items.stepUnread(begun ? 'here' : 'top') : await items.step(-1));
      begun = true;
      const item = first ?? (isFound ? reading.item : null);
      return item && passageOf(app, item);
    },
  };
}

function passageOf(app: App, item: StoredItem): Passage {
  const title = oneLine(item.title, LONGEST_TITLE);
  return {
    title,
    texts: textsOf(title, item.summary),
    heard: () => {
      if (item.state.readAt === null && !marksByHand(app)) void app.items.mark(item, 'read');
    },
  };
}

/** The opening and the unread stories, from the reader's place on; all stories of a report that was read. */
function reportProgram(app: App): Program | null {
  const { walk, marks } = app.archive;
  const { open, report } = walk;
  if (!report) return null;
  const shown = readableReport(report);
  const name = reportName(report.kind, report.label, language.dateLocale, 'full');
  const stories = storiesOf({ ...shown, flashes: report.flashes });
  const isFinished = stories.every(({ readAt }) => readAt !== null);
  const isBegun = stories.some(({ readAt }) => readAt !== null);
  // A lead only repeats the opening.
  const opening = {
    index: shown.lead ? 0 : null,
    title: oneLine(shown.headline, LONGEST_TITLE) || name,
    text: shown.overview,
    key: shown.lead?.key ?? null,
    wanted: isFinished || !isBegun,
  };
  const others = stories.map(({ title, summary, key, readAt }, index) => ({
    ...{ index, title: oneLine(title, LONGEST_TITLE), text: summary, key },
    wanted: isFinished || readAt === null,
  }));
  const parts = [opening, ...(shown.lead ? others.slice(1) : others)];
  const { place } = walk;
  let at = typeof place === 'number' ? parts.findIndex(({ index }) => index !== null && index >= place) - 1 : -1;
  return {
    step: (by) => {
      at = by === 1 ? parts.findIndex(({ wanted }, index) => index > at && wanted) : at - 1;
      const part = parts[at];
      if (walk.open === open) walk.reach(part ? part.index : 'end');
      if (!part) return Promise.resolve(null);
      const { title, text, key } = part;
      const heard = (): void => {
        if (key !== null && !marksByHand(app)) marks.heard([key]);
      };
      return Promise.resolve({ title, texts: textsOf(title, text), heard });
    },
  };
}

function textsOf(title: string, text: string | null): string[] {
  return [title, ...paragraphs(plainText(text, LONGEST_TEXT))].filter((one) => one !== '');
}

function marksByHand({ settings }: App): boolean {
  return settings.current.countsAsRead === 'byHand';
}
