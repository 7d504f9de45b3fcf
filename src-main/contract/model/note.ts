import { isReportLabel } from '../report-labels.ts';
import { REPORT_KINDS, type ReportKind } from './report.ts';

/** What a reader can write a note about. */
export const NOTE_KINDS = ['item', 'story', 'report'] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

/** The longest note, in UTF-16 units. */
export const LONGEST_NOTE = 20_000;
/** The most notes of one news service. */
export const MOST_NOTES = 10_000;

/** What a note is about. The id of a report is its kind and label: `daily/2026-11-20`. */
export interface NoteKey {
  kind: NoteKind;
  id: string;
}

/** What the reader wrote: plain text, never HTML. Times are RFC 3339. */
export interface Note extends NoteKey {
  text: string;
  createdAt: string;
  changedAt: string;
}

/** A note in a list. */
export interface NoteLine extends NoteKey {
  /** The beginning of the text. */
  excerpt: string;
  /** Whether the text is longer. */
  cut: boolean;
  createdAt: string;
  changedAt: string;
  /** The title of what it is about, as plain text; empty if that is not saved, or was withdrawn. */
  title: string;
  /** Who published the item; empty for others. */
  source: string;
}

/** The id of a report in a {@link NoteKey}. */
export function reportNoteId(kind: ReportKind, label: string): string {
  return `${kind}/${label}`;
}

/** The report of such an id; null for another text. */
export function reportOfNote(id: string): { kind: ReportKind; label: string } | null {
  const [name, label, ...rest] = id.split('/');
  const kind = REPORT_KINDS.find((one) => one === name);
  if (kind === undefined || label === undefined || rest.length > 0) return null;
  return isReportLabel(kind, label) ? { kind, label } : null;
}

/** The id of a note among the hits of a search. */
export function noteHitId({ kind, id }: NoteKey): string {
  return `${kind}/${id}`;
}

/** The note of such an id; null for another text. */
export function noteOfHit(hitId: string): NoteKey | null {
  const at = hitId.indexOf('/');
  const kind = NOTE_KINDS.find((one) => one === hitId.slice(0, Math.max(0, at)));
  const key = kind && { kind, id: hitId.slice(at + 1) };
  return key && isNoteKey(key) ? key : null;
}

/** Whether this can be what a note is about. */
export function isNoteKey({ kind, id }: NoteKey): boolean {
  if (kind === 'report') return reportOfNote(id) !== null;
  if (kind === 'story') return id !== '' && id.length <= 256 && Array.from(id).length <= 128;
  return id !== '' && id.length <= 512;
}

/**
 * A text as it is saved: with line feeds, without NUL and halves of characters, and without white space at its end. Empty
 * if there is nothing in it.
 */
export function cleanNote(text: string): string {
  return text.replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed().trimEnd();
}
