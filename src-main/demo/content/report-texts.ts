import type { ServedItem } from '../options.ts';
import { fill } from './template.ts';
import { REPORT_PHRASES as phrases } from './texts.ts';

/**
 * The first paragraph of a daily, in the language of its lead: why that was chosen, two more titles, the number of items. What
 * the lead is about is said below, by its own summary.
 */
export function dailyParagraph(items: ServedItem[]): string {
  const lead = reasonOf(items);
  const language = /\p{Script=Han}/u.test(items[0]?.title ?? '') ? 'zh' : 'en';
  const { title, and, also, count } = phrases.daily[language];
  const others = [...new Set(items.map((item) => item.title))]
    .slice(1, 3)
    .map((other) => fill(title, { title: other }));
  const more = others.length > 0 ? fill(also, { titles: others.join(and) }) : '';
  const sentences = [lead, more, fill(count, { count: items.length })];
  return sentences.filter((sentence) => sentence !== '').join(language === 'zh' ? '' : ' ');
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

/** Why the first item was chosen: its summary stands below. */
export function reasonOf([first]: ServedItem[]): string {
  return first?.reason ?? '';
}

function withoutStop(text: string): string {
  return text.replace(/[。.!！？?]$/, '');
}
