import type { InLocale } from '../common/i18n/locale.ts';
import { m } from '../common/i18n/messages.ts';
import { shanghaiTime } from '../common/shanghai.ts';

/**
 * Records as documents: each kind has one function that makes a document of a record, and each format one that writes
 * it. Runs in the page too. Texts are those of the record; the outputs escape them, and nothing else does.
 */
export interface Document {
  /** The kind and label of a report; null where the title is the name. */
  name: string | null;
  title: string | null;
  /** The address of the title; outputs link only http and https addresses. */
  link: string | null;
  subtitle: string | null;
  facts: readonly Fact[];
  /** Warnings about the record, such as that the service has deleted it. */
  notices: readonly Fact[];
  intro: readonly Block[];
  blocks: readonly Block[];
  /** Credit: who is to be named, and where the record is at the service. */
  footer: readonly Fact[];
}

export interface Span {
  text: string;
  link?: string | null;
}

/** Stands on one line, its spans separated by spaces. Outputs leave out the name if there is none. */
export interface Fact {
  name?: string;
  spans: readonly Span[];
}

export type Block =
  | { is: 'text'; text: string }
  | { is: 'facts'; facts: readonly Fact[] }
  | Entry
  | { is: 'changes'; changes: readonly Change[] }
  | Section;

/** An article or item within a document. Without a title, it is the one that the document's title names. */
export interface Entry {
  is: 'entry';
  title: string | null;
  link: string | null;
  facts: readonly Fact[];
  text: string | null;
  unread: boolean;
}

/** A section with an id is listed in a table of contents. */
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

/** For whom a document is made. */
export interface Audience extends InLocale {
  /** Writes an RFC 3339 time; a text that is none stays as it is. */
  time(at: string): string;
  /** Every field by its name instead of a short line: for outputs that list them below each other. */
  fields: boolean;
}

/** Exported files give times in the zone of the news service. */
export const exportAudience = ({ locale }: InLocale): Audience => ({
  locale,
  time: (at) => shanghaiTime(at) ?? at,
  fields: false,
});

/** A fact of one text; none if the text is empty. */
export function fact(text: string | null | undefined, link?: string | null): Fact[] {
  return text ? [{ spans: [{ text, ...(link && { link }) }] }] : [];
}

/** A fact with a name; none without a value. */
export function field(name: string, value: string | null | undefined, link?: string | null): Fact[] {
  return fact(value, link).map((unnamed) => ({ name, ...unnamed }));
}

export function textBlock(text: string | null): Block[] {
  return text?.trim() ? [{ is: 'text', text }] : [];
}

/** Whom the service asks to be named. */
export function creditOf(attribution: { name: string | null; url: string | null } | null, by: InLocale): Fact[] {
  if (!attribution) return [];
  const { name, url } = attribution;
  return [{ spans: [{ text: m.exported_report_by({}, by) }, { text: name ?? url ?? '', link: url }] }];
}

/** The name and title on one line. */
export function headingOf({ name, title }: Pick<Document, 'name' | 'title'>): string {
  const shown = title?.replace(/\s+/g, ' ').trim();
  return [name, shown].filter(Boolean).join(': ');
}

/** The sections of a table of contents. */
export function contentsOf({ blocks }: Document): { id: string; title: string }[] {
  return blocks.flatMap((block) =>
    block.is === 'section' && block.id !== null ? [{ id: block.id, title: block.title }] : [],
  );
}

/** Where exported records are from, and how ids are made that outlive a file. */
export interface Origin {
  /** The name of the news service, as in user.db. */
  service: string;
  idOf(...parts: readonly string[]): string;
}
