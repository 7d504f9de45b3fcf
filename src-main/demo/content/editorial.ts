import type { ServedItem } from '../options.ts';
import type { Category } from './template.ts';

export const SECTION_LABELS: Record<Category, string> = {
  'ai-models': '模型动态',
  'ai-products': '产品与工具',
  industry: '行业要闻',
  paper: '论文精选',
  tip: '实用技巧',
  opinion: '观点',
};

/** The first paragraph of a daily: what leads it, what else there is, how much in all. */
export function dailyParagraph(items: ServedItem[]): string {
  const [first, second, third] = items;
  const others = [second, third].filter((item) => item !== undefined).map(({ title }) => `《${title}》`);
  const beside = others.length > 0 ? `同样值得一读的还有${others.join('与')}。` : '';
  return `${firstSentence(first?.summary ?? first?.title ?? '')}${beside}今日共收录 ${items.length} 条。`;
}

/** The paragraph above a weekly or a monthly. `span` is 本周 or 本月. */
export function overviewParagraph(span: string, sections: { label: string; items: ServedItem[] }[]): string {
  const largest = sections.toSorted((a, b) => b.items.length - a.items.length).slice(0, 3);
  const themes = largest.map(({ label, items }) => `${label}方面，${withoutStop(items[0]?.title ?? '')}`);
  return `${span}的要点集中在${largest.map(({ label }) => label).join('、')}。${themes.join('；')}。以下条目均选自${span}的日报。`;
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
