import type { InLocale } from '../../common/i18n/locale.ts';
import { m } from '../../common/i18n/messages.ts';
import { shanghaiTime } from '../../common/shanghai.ts';
import { sourceLabel } from '../../common/source-label.ts';
import type { ExportFrame } from '../../contract/model/export.ts';
import type { ItemRow } from '../../contract/model/item.ts';
import { inline, link, paragraphs } from '../export-text/markdown-text.ts';
import { webAddress } from '../export-text/web-address.ts';
import type { FeedHead } from './atom.ts';
import { categoryIn } from './category.ts';

/** Items as Markdown (CommonMark), with all markup of their texts escaped. */
export function itemsMarkdown(rows: readonly ItemRow[], by: InLocale): string {
  return rows.map((row) => itemMarkdown(row, by)).join('\n\n');
}

export function markdownFrame({ title, subtitle }: FeedHead): ExportFrame {
  return {
    name: 'broadsheet-items.md',
    mediaType: 'text/markdown; charset=utf-8',
    head: `# ${inline(title)}\n\n${inline(subtitle)}\n\n`,
    separator: '\n\n',
    tail: '\n',
  };
}

function itemMarkdown(row: ItemRow, by: InLocale): string {
  const { title, originalTitle, summary, reason, source, category, effectiveAt, links, attribution } = row;
  const facts = [
    inline(sourceLabel(source.name)),
    inline(`${shanghaiTime(effectiveAt) ?? ''} (${m.exported_report_zone({}, by)})`),
    category === null ? '' : inline(categoryIn(category, by)),
    webAddress(links.aihot) === null ? '' : link(links.aihot, inline(m.exported_report_page({}, by))),
    attribution
      ? `${inline(m.exported_report_by({}, by))} ${link(attribution.url, inline(attribution.name ?? attribution.url ?? ''))}`
      : '',
  ];
  return [
    `## ${link(links.original, inline(title) || inline(row.id))}`,
    originalTitle?.trim() && originalTitle.trim() !== title.trim() ? `*${inline(originalTitle)}*` : '',
    facts.filter((fact) => fact !== '').join(' · '),
    paragraphs(summary),
    reason?.trim() ? `${inline(m.article_reason({}, by))}: ${inline(reason)}` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
