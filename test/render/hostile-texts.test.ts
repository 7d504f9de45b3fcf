import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { stableId } from '../../src-main/core/reads.ts';
import { TERMINAL_AUDIENCE, toTerminal } from '../../src-main/node/commands/document-text.ts';
import { exportAudience, fact, type Audience, type Document } from '../../src-main/render/document.ts';
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
import { vaultFile } from '../../src-main/render/vault.ts';
import { changesDocument, modelDocument } from '../../src-main/render/model.ts';
import { reportDocument } from '../../src-main/render/report.ts';
import { reportEntries } from '../../src-main/render/report-files.ts';
import { storyDocument } from '../../src-main/render/story.ts';
import { modelLine } from '../../src-main/common/model-line.ts';
import type { ItemRow } from '../../src-main/contract/model/item.ts';
import type { ModelRefresh, StoredModel } from '../../src-main/contract/model/model.ts';
import type { StoredStory } from '../../src-main/contract/model/story.ts';
import { HOSTILE_TEXTS } from '../support/hostile/hostile-texts.ts';
import { parseHtml, parseXml } from '../support/feeds.ts';
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

function hostileStory(text: string): StoredStory {
  const times = { firstReportAt: text, latestAt: text, digestUpdatedAt: text, fetchedAt: text, goneAt: text };
  const neighbor = { publicId: text, title: text, relation: text, links: { aihot: text, api: text }, extra: {} };
  const source = { name: text, firstParty: true };
  const report = { id: text, title: text, summary: text, source, publishedAt: text, links: links(text), extra: {} };
  const texts = { publicId: text, title: text, status: text, latest: text, digest: text, links: { aihot: text } };
  const counts = { sourceCount: 1, reportCount: 2, followedAt: text, starredAt: text, extra: {} };
  const reports = [{ ...report, itemId: text, effectiveAt: text, readAt: null }];
  const fresh = { reportIds: [text], digest: true };
  return { ...times, ...texts, ...counts, reports, fresh, storyline: [neighbor], related: [neighbor] };
}

function hostileModel(text: string): StoredModel {
  const pricing = { prompt: text, [text]: '1', overrides: [{ [`${text}x`]: text, prompt: '1' }] };
  const architecture = { input_modalities: [text], modality: text };
  const texts = { name: text, description: text, alias_target: text, expiration_date: text, knowledge_cutoff: text };
  const record = { id: text, ...texts, architecture, pricing, [text]: text };
  const histories = [{ field: text, tier: { [text]: text }, steps: [{ at: text, value: text }] }];
  const known = { modelList: 'models', firstSeenAt: text, favouriteAt: text } as const;
  return { ...modelLine(record), ...known, aliases: [text], record, histories };
}

function hostileChanges(text: string): ModelRefresh {
  const change = { model: text, name: `${text}.`, before: text, after: text };
  const priced = { ...change, field: 'price', price: text, tier: { [text]: text } } as const;
  return { id: 1, modelList: 'models', at: text, otherKey: true, changes: [{ ...change, field: 'name' }, priced] };
}

/** Makes documents of records that no file is written of yet. */
function otherDocuments(text: string, by: Audience): Document[] {
  const [story, model, changes] = [hostileStory(text), hostileModel(text), hostileChanges(text)];
  return [storyDocument(story, by), modelDocument(model, by), changesDocument(changes, by)];
}

/** Renders records that consist of one text with each output. */
function outputsOf(text: string) {
  const report = reportDocument(hostileReport(text), AUDIENCE);
  const row = hostileItem(text);
  const document = itemDocument(row, AUDIENCE);
  const entries = (format: 'atom' | 'jsonfeed') => itemsPart({ rows: [row], next: null }, format, BY).text;
  const spans = [{ spans: [{ text, link: text }] }, ...fact(text, text)];
  const others = otherDocuments(text, AUDIENCE);
  const othersHtml = others.map((other) => toHtml(other, BY));
  return {
    html: [...othersHtml, toHtmlPage(report, BY), toHtml(report, BY), toHtml(document, BY), toHtmlBody(document, BY)],
    xml: [
      ...othersHtml,
      toHtml(report, BY),
      toHtml(document, BY),
      entries('atom'),
      reportEntries([hostileReport(text)], 1, BY).text,
    ],
    markdown: [
      ...others.map((other) => toMarkdown(other, BY)),
      toMarkdown(report, BY),
      toMarkdown(document, BY),
      toMarkdownPart(document, BY),
      toMarkdownHeading(text),
    ],
    lines: [toMarkdownLine(spans), toMarkdownTable([['a'], [text]])],
    json: entries('jsonfeed'),
    terminal: [
      reportDocument(hostileReport(text), TERMINAL_AUDIENCE),
      itemDocument(row, TERMINAL_AUDIENCE),
      ...otherDocuments(text, TERMINAL_AUDIENCE),
    ].map((shown) => toTerminal(shown).toString()),
  };
}

/** Elements that no output writes; a text that is not escaped would make one. */
const FOREIGN = 'script, iframe, object, embed, img, form, svg, math, base, [onclick], [onerror], [src]';
const FOREIGN_IN_MARKDOWN = `${FOREIGN}, strong, code, del, blockquote, pre`;

function expectHarmless(html: string, foreign: string): void {
  const document = parseHtml(html);
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

  it.each(TEXTS.map((text) => [JSON.stringify(text).slice(0, 60), text]))(
    'becomes neither a key nor markup of a file of the vault, nor an odd name: %s',
    (_, text) => {
      const note = { kind: 'item', id: text, text, title: text, link: text, source: text } as const;
      const noted = { ...note, createdAt: text, changedAt: text };
      for (const item of [hostileItem(text), null]) {
        const { name, text: content } = vaultFile(note, { item, note: noted }, BY);
        const [, head = '', body = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(content) ?? [];
        const fields = parse(head) as Record<string, unknown>;
        for (const field of Object.keys(fields)) expect(FIELDS).toContain(field);
        expect(head).not.toMatch(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
        for (const link of [fields['address'], fields['page']]) expect(link ?? 'https://x').toMatch(/^https?:\/\//);
        // The reader's own Markdown stays: only what loads or runs something is refused.
        expect([...parseHtml(marked.parse(body, { async: false })).querySelectorAll(FOREIGN)]).toEqual([]);
        expect(name).toMatch(/^(?:[^<>:"/\\|?*#^[\]%\p{C}. ~-][^<>:"/\\|?*#^[\]%\p{C}]* )?[0-9a-f]{8}\.md$/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(100);
      }
    },
  );
});

const FIELDS = [
  ...['broadsheet-id', 'title', 'original-title', 'address', 'page', 'source', 'category'],
  ...['published', 'updated', 'starred', 'starred-at', 'noted-at', 'kind', 'id', 'service'],
];
