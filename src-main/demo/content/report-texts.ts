import type { ServedItem } from '../options.ts';
import { fill } from './template.ts';
import { REPORT_PHRASES as phrases } from './texts.ts';

/** The first paragraph of a daily: the lead, two more titles, the number of items. */
export function dailyParagraph(items: ServedItem[]): string {
  const [first, second, third] = items;
  const others = [second, third]
    .filter((item) => item !== undefined)
    .map(({ title }) => fill(phrases.title, { title }));
  const also = others.length > 0 ? fill(phrases.also, { titles: others.join(phrases.and) }) : '';
  return `${firstSentence(first?.summary ?? first?.title ?? '')}${also}${fill(phrases.count, { count: items.length })}`;
}

/** The paragraph above a weekly or a monthly. `span` is 本周 or 本月. */
export function overviewParagraph(span: string, sections: { label: string; items: ServedItem[] }[]): string {
  const largest = sections.toSorted((a, b) => b.items.length - a.items.length).slice(0, 3);
  const themes = largest.map(({ label, items }) =>
    fill(phrases.theme, { label, title: withoutStop(items[0]?.title ?? '') }),
  );
  const labels = largest.map(({ label }) => label).join(phrases.comma);
  return fill(phrases.overview, { span, labels, themes: themes.join(phrases.semicolon) });
}

export function sectionSummary(items: ServedItem[]): string {
  return firstSentence(items[0]?.summary ?? '');
}

function firstSentence(text: string): string {
  const end = text.search(/[。！？]|[.!?](?=\s|$)/);
  return end < 0 ? text : text.slice(0, end + 1);
}

function withoutStop(text: string): string {
  return text.replace(/[。.!！？?]$/, '');
}
