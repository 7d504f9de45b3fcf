import type { InLocale } from '../common/i18n/locale.ts';
import { m } from '../common/i18n/messages.ts';
import { shanghaiTime } from '../common/time.ts';

/** A record, as each format writes it. Runs in the page too. Only outputs escape texts. */
export interface Document {
  /** The kind and label of a report, for example. */
  name: string | null;
  title: string | null;
  /** For the title; outputs link only http and https addresses. */
  link: string | null;
  subtitle: string | null;
  facts: readonly Fact[];
  /** Warnings, such as that the service has deleted the record. */
  notices: readonly Fact[];
  intro: readonly Block[];
  blocks: readonly Block[];
  footer: readonly Fact[];
}

const EMPTY: Document = {
  name: null,
  title: null,
  link: null,
  subtitle: null,
  facts: [],
  notices: [],
  intro: [],
  blocks: [],
  footer: [],
};

export function createDocument(parts: Partial<Document>): Document {
  return { ...EMPTY, ...parts };
}

export interface Span {
  text: string;
  link?: string | null;
  /** An id or a time, which outputs may de-emphasize. */
  minor?: true;
}

/** On one line, spans separated by spaces. */
export interface Fact {
  name?: string;
  spans: readonly Span[];
}

export type Block =
  | { is: 'text'; text: string }
  | { is: 'facts'; facts: readonly Fact[] }
  | { is: 'list'; facts: readonly Fact[] }
  | Entry
  | { is: 'changes'; changes: readonly Change[] }
  | Section;

/** Without a title, the document's title names it. */
export interface Entry {
  is: 'entry';
  title: string | null;
  link: string | null;
  facts: readonly Fact[];
  text: string | null;
  unread: boolean;
}

export interface Section {
  is: 'section';
  id: string | null;
  title: string;
  blocks: readonly Block[];
}

export interface Change {
  what: string;
  texts: { before: string; after: string } | null;
}

export interface Audience extends InLocale {
  time(at: string): string;
  /** Shows all fields with names instead of a short line. */
  fields: boolean;
}

/** Exported files use the zone of the news service. */
export const exportAudience = ({ locale }: InLocale): Audience => ({
  locale,
  time: (at) => shanghaiTime(at) ?? at,
  fields: false,
});

export function fact(text: string | null | undefined, link?: string | null): Fact[] {
  return text ? [{ spans: [{ text, ...(link && { link }) }] }] : [];
}

export function field(name: string, value: string | null | undefined, link?: string | null): Fact[] {
  return fact(value, link).map((unnamed) => ({ name, ...unnamed }));
}

export function timeField(name: string, at: string | null, by: Audience): Fact[] {
  return field(name, at && by.time(at));
}

export function textBlock(text: string | null): Block[] {
  return text?.trim() ? [{ is: 'text', text }] : [];
}

/** Keeps the section out of tables of contents. */
export function section(title: string, blocks: readonly Block[]): Section[] {
  return blocks.length === 0 ? [] : [{ is: 'section', id: null, title, blocks }];
}

export function listSection(title: string, facts: readonly Fact[]): Section[] {
  return section(title, facts.length === 0 ? [] : [{ is: 'list', facts }]);
}

export function creditOf(attribution: { name: string | null; url: string | null } | null, by: InLocale): Fact[] {
  if (!attribution) return [];
  const { name, url } = attribution;
  return [{ spans: [{ text: m.article_attribution({}, by) }, { text: name ?? url ?? '', link: url }] }];
}

export function headingOf({ name, title }: Pick<Document, 'name' | 'title'>): string {
  const shown = title?.replace(/\s+/g, ' ').trim();
  return [name, shown].filter(Boolean).join(': ');
}

export function contentsOf({ blocks }: Document): { id: string; title: string }[] {
  return blocks.flatMap((block) =>
    block.is === 'section' && block.id !== null ? [{ id: block.id, title: block.title }] : [],
  );
}

export interface Origin {
  service: string;
  /** Returns an id that outlives the file. */
  idOf(...parts: readonly string[]): string;
}

/** Accepted by browsers but not by RFC 3986. */
const UNSAFE = /[|^`{}"<>\\[\]]|%(?![0-9a-f]{2})/gi;

/** Returns an http or https address that is valid by RFC 3986. */
export function webAddress(url: string | null | undefined): string | null {
  const target = url ? URL.parse(url) : null;
  if (!target || !/^https?:$/.test(target.protocol)) return null;
  // Keeps the brackets of an IPv6 address.
  const start = target.href.indexOf(target.host) + target.host.length;
  return target.href.slice(0, start) + target.href.slice(start).replace(UNSAFE, encodeURIComponent);
}
