import { markdownTable } from 'markdown-table';
import type { InLocale } from '../../common/i18n/locale.ts';
import { m } from '../../common/i18n/messages.ts';
import { type Block, type Change, type Document, type Entry, type Fact, type Span, webAddress } from '../document.ts';
import { disarmMarkdown, escapeMarkdown, escapeMarkdownCell, escapeYaml } from './escape.ts';

/** CommonMark in which no text of the record acts as markup. */
export function toMarkdown(document: Document, by: InLocale): string {
  const { name, title, link, subtitle, facts, notices, intro, blocks, footer } = document;
  // A heading with a name is not linked: what the title names follows as an entry.
  const heading =
    name === null
      ? formatSpan({ text: title ?? '', link })
      : [name, title].flatMap((text) => (text === null ? [] : escapeMarkdown(text))).join(': ');
  const parts = [
    `# ${heading}`,
    subtitle === null ? '' : `*${escapeMarkdown(subtitle)}*`,
    toMarkdownLine([...facts, ...notices]),
    ...[...intro, ...blocks].map((block) => formatBlock(block, by)),
    ...(footer.length === 0 ? [] : ['---', toMarkdownLine(footer)]),
  ];
  return `${joinParts(parts)}\n`;
}

export function toMarkdownPart(document: Document, by: InLocale): string {
  const { title, link, subtitle, facts, notices, intro, blocks, footer } = document;
  return joinParts([
    `## ${formatSpan({ text: title ?? '', link })}`,
    subtitle === null ? '' : `*${escapeMarkdown(subtitle)}*`,
    toMarkdownLine([...facts, ...notices, ...footer]),
    ...[...intro, ...blocks].map((block) => formatBlock(block, by)),
  ]);
}

/** YAML. Null leaves a field out. */
export function toFrontMatter(fields: Readonly<Record<string, string | boolean | null>>): string {
  const lines = Object.entries(fields).flatMap(([name, value]) => {
    if (value === null) return [];
    return `${name}: ${typeof value === 'string' ? escapeYaml(value) : String(value)}`;
  });
  return ['---', ...lines, '---', ''].join('\n');
}

export function toMarkdownNote(text: string, by: InLocale): string {
  return `## ${m.note_title({}, by)}\n\n${disarmMarkdown(text)}\n`;
}

export function markdownHead(title: string, note: string): string {
  return `# ${escapeMarkdown(title)}\n\n${escapeMarkdown(note)}\n\n`;
}

export function toMarkdownHeading(text: string): string {
  return `# ${escapeMarkdown(text)}`;
}

export function toMarkdownTable(rows: readonly (readonly string[])[], align?: readonly ('l' | 'r')[]): string {
  const cells = rows.map((row) => row.map(escapeMarkdownCell));
  return markdownTable(cells, { ...(align && { align: [...align], stringLength: () => 3 }) });
}

function formatBlock(block: Block, by: InLocale): string {
  switch (block.is) {
    case 'text':
      return formatParagraphs(block.text);
    case 'facts':
      return toMarkdownLine(block.facts);
    case 'list':
      return block.facts.map((fact) => `- ${formatFact(fact)}`).join('\n');
    case 'entry':
      return formatEntry(block, by);
    case 'changes':
      return block.changes.map((change) => formatChange(change, by)).join('\n');
    case 'section':
      return joinParts([`## ${escapeMarkdown(block.title)}`, ...block.blocks.map((inner) => formatBlock(inner, by))]);
  }
}

function formatEntry({ title, link, facts, text }: Entry, by: InLocale): string {
  if (title !== null) {
    const heading = `### ${formatSpan({ text: title, link })}`;
    return joinParts([heading, toMarkdownLine(facts), formatParagraphs(text)]);
  }
  const opened = webAddress(link) === null ? [] : [{ spans: [{ text: m.article_open_original({}, by), link }] }];
  return joinParts([toMarkdownLine([...opened, ...facts]), formatParagraphs(text)]);
}

function formatChange({ what, texts }: Change, by: InLocale): string {
  if (texts === null) return `- ${escapeMarkdown(what)}`;
  return [
    `- ${escapeMarkdown(what)}`,
    `  - ${m.exported_report_before({}, by)}: ${escapeMarkdown(texts.before)}`,
    `  - ${m.exported_report_after({}, by)}: ${escapeMarkdown(texts.after)}`,
  ].join('\n');
}

export function toMarkdownLine(facts: readonly Fact[]): string {
  return facts
    .map(formatFact)
    .filter((text) => text !== '')
    .join(' · ');
}

function formatFact({ name, spans }: Fact): string {
  const value = spans.map(formatSpan).join(' ');
  return name === undefined ? value : `${escapeMarkdown(name)}: ${value}`;
}

/** Links only http and https addresses. */
function formatSpan({ text, link }: Span): string {
  const target = webAddress(link);
  const shown = escapeMarkdown(text);
  return target === null ? shown : `[${shown}](<${target.replace(/[<>\\]/g, encodeURIComponent)}>)`;
}

function formatParagraphs(text: string | null): string {
  return joinParts((text ?? '').split(/\r\n?|\n/).map(escapeMarkdown));
}

function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
