import { cleanup, render } from '@testing-library/svelte';
import type { Component } from 'svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CitationWithStatus, ReportLine } from '../../../../src-main/contract/model/report.ts';
import type { StoredStory } from '../../../../src-main/contract/model/story.ts';
import Opening from '../../../../src-renderer/features/today/Opening.svelte';
import Pairs from '../../../../src-renderer/features/today/Pairs.svelte';
import MoreArticles from '../../../../src-renderer/features/reading/MoreArticles.svelte';
import CitationEntry from '../../../../src-renderer/features/archive/CitationEntry.svelte';
import ReportRow from '../../../../src-renderer/features/archive/ReportRow.svelte';
import ItemRow from '../../../../src-renderer/features/feed/ItemRow.svelte';
import CoverageList from '../../../../src-renderer/features/topics/CoverageList.svelte';
import Callout from '../../../../src-renderer/ui/text/Callout.svelte';
import InContext from '../../support/InContext.svelte';
import type { Layout } from '../../../../src-renderer/ui/page-context.ts';
import { NOW, openCore, STORIES } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';

const onopen = (): void => {};

const LATIN = 'A model that “just works”';
const CHINESE = '一个“开箱即用”的模型';
const JAPANESE = 'すぐに使えるモデル';

/** The `lang` of the element with exactly this text, or of the nearest one around it. */
function languageOf(text: string): string | null | undefined {
  const own = Array.from(document.querySelectorAll('*')).findLast((element) => element.textContent.trim() === text);
  return own?.closest('[lang]')?.getAttribute('lang');
}

/** Draws a part of the page. */
function draw(shown: Component<never>, given: object): void {
  render(InContext, { shown, given, page: { clock: { now: NOW }, layout: { ownWindow: true } as Layout } });
}

let story: StoredStory;
let daily: ReportLine;
let citation: CitationWithStatus;

beforeEach(async () => {
  const { ask } = await openCore(STORIES);
  const [line] = (await ask('stories.list', { which: 'all' })).stories;
  story = await ask('stories.get', { publicId: line!.publicId });
  daily = (await ask('reports.index', { kind: 'daily' })).lines[0]!;
  citation = (await ask('reports.get', { kind: 'daily', label: daily.label })).sections[0]!.items[0]!;
});

describe.each([
  [LATIN, CHINESE],
  [CHINESE, LATIN],
  [JAPANESE, CHINESE],
])('the language of "%s" and of "%s"', (title, text) => {
  const language: Record<string, string> = { [LATIN]: 'en', [CHINESE]: 'zh', [JAPANESE]: 'ja' };

  const texts: [what: string, show: () => void][] = [
    [
      'an item in the list',
      () => {
        const row = madeUpRow(0, NOW, { title, summary: text });
        draw(ItemRow, { row, removalReason: undefined, selected: false, density: 'comfortable' });
      },
    ],
    [
      'a report on a story',
      () => {
        const reports = [{ ...story.reports[0]!, itemId: null, title, summary: text }];
        draw(CoverageList, { reports, fresh: [] });
      },
    ],
    [
      'a story in a report',
      () => {
        const shown = { ...citation, title, summary: text };
        draw(CitationEntry, { citation: shown, as: 'story', onopen, onread: onopen });
      },
    ],
    ['what Today leads with', () => draw(Opening, { kicker: '', title, text })],
    [
      'a headline of Today and its section',
      () => draw(Pairs, { entries: [{ id: '', about: text, title, open: onopen }] }),
    ],
    [
      'more articles of a topic',
      () => {
        const articles = [title, text].map((title) => ({
          id: title,
          title,
          time: null,
          item: { publishedAt: null, discoveredAt: null },
          readAt: '',
        }));
        draw(MoreArticles, { title: 'More', level: 2, articles });
      },
    ],
    ['a paragraph in a box', () => void render(Callout, { title: 'Why', level: 2, paragraphs: [title, text] })],
  ];

  it('is that of each text, wherever it is shown', () => {
    for (const [what, show] of texts) {
      show();
      expect([what, languageOf(title), languageOf(text)]).toEqual([what, language[title], language[text]]);
      cleanup();
    }
    draw(ReportRow, { line: { ...daily, headline: title }, selected: false, onopen });
    expect(languageOf(title)).toBe(language[title]);
  });
});

it('is said to be unknown where it is, so that it is not the language of the page', () => {
  const row = madeUpRow(0, NOW, { title: 'Новая модель' });
  draw(ItemRow, { row, removalReason: undefined, selected: false, density: 'comfortable' });
  expect(languageOf('Новая модель')).toBe('');
});
