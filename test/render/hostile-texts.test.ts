import { JSDOM } from 'jsdom';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { stableId } from '../../src-main/core/stable-id.ts';
import { TERMINAL_AUDIENCE, toTerminal } from '../../src-main/node/commands/document-text.ts';
import { exportAudience, fact } from '../../src-main/render/document.ts';
import { itemsPart } from '../../src-main/render/item-files.ts';
import { itemDocument } from '../../src-main/render/item.ts';
import { toHtml, toHtmlBody, toHtmlPage } from '../../src-main/render/outputs/html.ts';
import {
  toMarkdown,
  toMarkdownHeading,
  toMarkdownLine,
  toMarkdownPart,
  toMarkdownTable,
} from '../../src-main/render/outputs/markdown.ts';
import { reportDocument } from '../../src-main/render/report.ts';
import { reportEntries } from '../../src-main/render/report-files.ts';
import type { ItemRow } from '../../src-main/contract/model/item.ts';
import { HOSTILE_TEXTS } from '../support/hostile/hostile-texts.ts';
import { parseXml } from '../support/feeds.ts';
import { item } from '../support/items.ts';
import { citation, daily, storedReport } from '../support/reports.ts';

const TEXTS = [
  ...HOSTILE_TEXTS,
  ']]> </title><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '# heading\n- list\n> quote\n\n    code\n```\nfence',
  '[x](javascript:alert(1)) ![x](https://evil.example/x.png) <https://evil.example>',
  '| a | b |\n| - | - |\n| c | d |',
  '*em* **strong** _em_ __strong__ ~~del~~ `code` $math$ &lt;script&gt;',
  'setext\n===\n---\n1. one\n2) two\n+ plus',
  '\u001b[2J\u0007\u0000\ud800\u202e\ufffe\r\n\u2028\u0085',
  '=1+1',
];
const BY = { locale: 'en', service: 'https://news.example', idOf: stableId } as const;
const AUDIENCE = exportAudience(BY);

const credit = (text: string) => ({ name: text, url: text });
const links = (text: string) => ({ original: text, aihot: text });

function hostileReport(text: string) {
  const cited = citation('a', {
    title: text,
    summary: text,
    source: { name: text },
    links: links(text),
    publishedAt: text,
    attribution: credit(text),
  });
  const given = { headline: text, overview: text, links: { aihot: text }, attribution: credit(text), flashes: [cited] };
  const corrections = [
    { at: text, kind: 'edited', section: text, text: { field: 'title', before: text, after: text } } as const,
  ];
  return storedReport(daily({ [text]: [cited, 'b'] }, { ...given, generatedAt: text }), { corrections, goneAt: text });
}

function hostileItem(text: string): ItemRow {
  const texts = { id: text, title: text, originalTitle: `${text} `, summary: text, category: text, reason: text };
  const given = { ...texts, source: { name: text }, links: links(text), publishedAt: text, attribution: credit(text) };
  const state = { readAt: null, starredAt: null };
  const known = { effectiveAt: text, inSelectedSet: false, leftSelectionAt: text, withdrawnAt: null, revisedAt: text };
  return { ...item(given), ...known, state, models: [], snippets: [] };
}

/** What each output writes of records that consist of one text. */
function outputsOf(text: string) {
  const report = reportDocument(hostileReport(text), AUDIENCE);
  const row = hostileItem(text);
  const document = itemDocument(row, AUDIENCE);
  const entries = (format: 'atom' | 'jsonfeed') => itemsPart({ rows: [row], next: null }, format, BY).text;
  const spans = [{ spans: [{ text, link: text }] }, ...fact(text, text)];
  return {
    html: [toHtmlPage(report, BY), toHtml(report, BY), toHtml(document, BY), toHtmlBody(document, BY)],
    xml: [toHtml(report, BY), toHtml(document, BY), entries('atom'), reportEntries([hostileReport(text)], 1, BY).text],
    markdown: [toMarkdown(report, BY), toMarkdown(document, BY), toMarkdownPart(document, BY), toMarkdownHeading(text)],
    lines: [toMarkdownLine(spans), toMarkdownTable([['a'], [text]])],
    json: entries('jsonfeed'),
    terminal: [reportDocument(hostileReport(text), TERMINAL_AUDIENCE), itemDocument(row, TERMINAL_AUDIENCE)].map(
      (shown) => toTerminal(shown).toString(),
    ),
  };
}

/** Elements that no output writes; a text that is not escaped would make one. */
const FOREIGN = 'script, iframe, object, embed, img, form, svg, math, base, [onclick], [onerror], [src]';
const FOREIGN_IN_MARKDOWN = `${FOREIGN}, strong, code, del, blockquote, pre`;

function expectHarmless(html: string, foreign: string): void {
  const { document } = new JSDOM(html).window;
  expect([...document.querySelectorAll(foreign)].map(({ localName }) => localName)).toEqual([]);
  for (const link of document.querySelectorAll('a')) expect(link.getAttribute('href')).toMatch(/^https?:\/\//);
}

describe('a hostile text', () => {
  it.each(TEXTS.map((text) => [JSON.stringify(text).slice(0, 60), text]))(
    'stays a text in every output: %s',
    (_, text) => {
      const { html, xml, markdown, lines, json, terminal } = outputsOf(text);
      for (const content of html) expectHarmless(content, FOREIGN);
      for (const content of xml) parseXml(`<html>${content}</html>`);
      for (const content of [...markdown, ...lines]) {
        expectHarmless(marked.parse(content, { async: false }), FOREIGN_IN_MARKDOWN);
      }
      // A text on one line breaks out of no table and begins no second line.
      for (const content of lines) expect(content.split('\n').length).toBeLessThanOrEqual(3);
      for (const { content_html: content } of [JSON.parse(json) as { content_html: string }])
        expectHarmless(content, FOREIGN);
      for (const shown of terminal)
        expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    },
  );
});
