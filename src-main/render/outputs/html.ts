import type { InLocale } from '../../common/i18n/locale.ts';
import { m } from '../../common/i18n/messages.ts';
import { paragraphs } from '../../common/text.ts';
import { type Block, type Change, type Document, type Fact, headingOf, type Span, webAddress } from '../document.ts';
import { escapeHtml } from './escape.ts';

const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; padding: 2.5rem 1.25rem; font: 1.0625rem/1.7 Georgia, 'Songti SC', 'Noto Serif CJK SC', 'SimSun', serif; }
main { max-width: 44rem; margin: 0 auto; }
h1 { font-size: 1.9rem; line-height: 1.3; margin: 0.25rem 0 0.75rem; }
h2 { font-size: 1.25rem; margin: 2.25rem 0 0.5rem; border-bottom: 1px solid; padding-bottom: 0.25rem; }
h3 { font-size: 1.0625rem; line-height: 1.45; margin: 1.25rem 0 0.25rem; }
p { margin: 0.25rem 0 0.75rem; white-space: pre-line; }
a { color: inherit; text-decoration-thickness: 1px; text-underline-offset: 0.15em; }
ul { padding-left: 1.25rem; }
del, ins { white-space: pre-line; }
.kicker, .facts, footer { font: 0.875rem/1.6 system-ui, sans-serif; opacity: 0.8; }
.kicker, .facts { margin: 0; white-space: normal; }
.lead { font-size: 1.125rem; }
footer { margin-top: 3rem; border-top: 1px solid; padding-top: 0.75rem; }
h1, h2, h3, p, li { overflow-wrap: anywhere; }
@media print {
  body { padding: 0; font-size: 10.5pt; }
  main { max-width: none; }
  h2, h3 { break-after: avoid; }
  article, li { break-inside: avoid; }
}`;

/** Self-contained: no scripts, no external resources. */
export function toHtmlPage(document: Document, by: InLocale): string {
  return `<!doctype html>
<html lang="${by.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(headingOf(document))}</title>
<style>${STYLE}
</style>
</head>
<body>
<main>
${toHtml(document, by)}
</main>
</body>
</html>
`;
}

/** Well-formed as HTML and as XML. */
export function toHtml(document: Document, by: InLocale): string {
  const { name, title, link, subtitle, facts, notices, intro, blocks, footer } = document;
  const noticesHtml = notices.map((notice) => `<p class="facts">${formatFact(notice)}</p>`).join('');
  return joinLines([
    '<header>',
    ...(name === null ? [] : [`<p class="kicker">${escapeHtml(name)}</p>`]),
    `<h1 dir="auto">${formatSpan({ text: title ?? name ?? '', link })}</h1>`,
    subtitle === null ? '' : `<p dir="auto"><i>${escapeHtml(subtitle)}</i></p>`,
    `<p class="facts">${joinFacts(facts)}</p>${noticesHtml}`,
    ...intro.map((block) =>
      block.is === 'text' ? `<p class="lead" dir="auto">${escapeHtml(block.text)}</p>` : formatBlock(block, by),
    ),
    '</header>',
    ...blocks.map((block) => formatBlock(block, by)),
    `<footer>${joinFacts(footer)}</footer>`,
  ]);
}

/** Without title and facts, which stand elsewhere. */
export function toHtmlBody({ subtitle, intro, blocks, footer }: Document, by: InLocale): string {
  const plain = [...intro, ...blocks].flatMap((block) => {
    if (block.is === 'text') return paragraphs(block.text).map((text) => `<p>${escapeHtml(text)}</p>`);
    return block.is === 'facts' ? `<p>${joinFacts(block.facts)}</p>` : formatBlock(block, by);
  });
  return joinLines([
    subtitle === null ? '' : `<p><i>${escapeHtml(subtitle)}</i></p>`,
    ...plain,
    footer.length === 0 ? '' : `<p>${joinFacts(footer)}</p>`,
  ]);
}

function formatBlock(block: Block, by: InLocale): string {
  switch (block.is) {
    case 'text':
      return `<p dir="auto">${escapeHtml(block.text)}</p>`;
    case 'facts':
      return `<p class="facts">${joinFacts(block.facts)}</p>`;
    case 'list':
      return joinLines(['<ul>', ...block.facts.map((fact) => `<li dir="auto">${formatFact(fact)}</li>`), '</ul>']);
    case 'entry': {
      const { title, link, facts, text } = block;
      const below = [
        `<p class="facts">${joinFacts(facts)}</p>`,
        text?.trim() ? `<p dir="auto">${escapeHtml(text)}</p>` : '',
      ];
      if (title === null) return joinLines(below);
      return joinLines([
        '<article>',
        `<h3 dir="auto">${formatSpan({ text: title, link })}</h3>`,
        ...below,
        '</article>',
      ]);
    }
    case 'changes':
      return joinLines(['<ul>', ...block.changes.map((change) => formatChange(change, by)), '</ul>']);
    case 'section': {
      const { id, title, blocks } = block;
      // Without an id, the title is in the language of the page.
      const opening =
        id === null
          ? ['<section>', `<h2>${escapeHtml(title)}</h2>`]
          : [`<section id="${id}">`, `<h2 dir="auto">${escapeHtml(title)}</h2>`];
      return joinLines([...opening, ...blocks.map((inner) => formatBlock(inner, by)), '</section>']);
    }
  }
}

function formatChange({ what, texts }: Change, by: InLocale): string {
  if (texts === null) return `<li>${escapeHtml(what)}</li>`;
  return `<li>${escapeHtml(what)}
<p dir="auto"><span class="facts">${escapeHtml(m.exported_report_before({}, by))}</span> <del>${escapeHtml(texts.before)}</del></p>
<p dir="auto"><span class="facts">${escapeHtml(m.exported_report_after({}, by))}</span> <ins>${escapeHtml(texts.after)}</ins></p></li>`;
}

function joinFacts(facts: readonly Fact[]): string {
  return facts.map(formatFact).join(' · ');
}

function formatFact({ name, spans }: Fact): string {
  const value = spans.map(formatSpan).join(' ');
  return name === undefined ? value : `${escapeHtml(name)}: ${value}`;
}

/** Links only http and https addresses. */
function formatSpan({ text, link }: Span): string {
  const target = webAddress(link);
  const shown = escapeHtml(text);
  return target === null ? shown : `<a href="${escapeHtml(target)}" rel="noreferrer noopener">${shown}</a>`;
}

function joinLines(lines: readonly string[]): string {
  return lines.filter((line) => line !== '').join('\n');
}
