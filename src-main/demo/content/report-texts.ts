import type { ServedItem } from '../options.ts';
import { fill } from './template.ts';
import { REPORT_PHRASES as phrases } from './texts.ts';

/** Writes in the language of the lead: why it was chosen, and two more titles. Its own summary follows below. */
export function dailyParagraph(items: ServedItem[]): string {
  const language = languageOf(items[0]?.title ?? '');
  const { title, and, also } = phrases.daily[language];
  const others = [...new Set(items.map((item) => item.title))]
    .slice(1)
    .filter((other) => languageOf(other) === language)
    .slice(0, 2)
    .map((other) => fill(title, { title: other }));
  const more = others.length > 0 ? fill(also, { titles: others.join(and) }) : '';
  return [reasonOf(items), more].filter((sentence) => sentence !== '').join(language === 'zh' ? '' : ' ');
}

function languageOf(text: string): 'zh' | 'en' {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
}

/** Writes the paragraph above a weekly or a monthly. `span` is 本周 or 本月. */
export function overviewParagraph(span: string, sections: { label: string; items: ServedItem[] }[]): string {
  const largest = sections.toSorted((a, b) => b.items.length - a.items.length).slice(0, 3);
  const themes = largest.map(({ label, items }) =>
    fill(phrases.theme, { label, title: withoutStop(items[0]?.title ?? '') }),
  );
  const labels = largest.map(({ label }) => label).join(phrases.comma);
  return fill(phrases.overview, { span, labels, themes: themes.join(phrases.semicolon) });
}

export function reasonOf([first]: ServedItem[]): string {
  return first?.reason ?? '';
}

function withoutStop(text: string): string {
  return text.replace(/[。.!！？?]$/, '');
}
